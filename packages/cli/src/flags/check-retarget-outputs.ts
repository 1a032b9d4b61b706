import { UsageError } from '@stuntdouble/core';
import { extensionOf } from '@stuntdouble/jobs';
import { isSameFile, type WriteOptions } from '@stuntdouble/jobs/node';

/** The files that `retarget` shall write, as they were typed. */
export type RetargetOutputs = WriteOptions & {
  output?: string;
  picture?: string;
  card?: string;
  camera?: string;
  heat?: boolean;
  saveRecipe?: string;
  saveLayer?: string;
  rootMotionFile?: string;
};

/**
 * Makes sure before anything is read that files can be written as they were named, and not over what is read.
 * @throws UsageError that names the file.
 */
export function checkRetargetOutputs(options: RetargetOutputs, inputs: readonly string[]): void {
  const { output, picture, card, saveRecipe, saveLayer, rootMotionFile, force } = options;
  if (options.camera !== undefined && picture === undefined)
    throw new UsageError('--camera is for --picture; name the picture that shall be drawn');
  if (options.heat === false && picture === undefined)
    throw new UsageError('--no-heat is for --picture; name the picture that shall be drawn');
  const refuseInput = (path: string) => {
    if (!force && inputs.some((input) => isSameFile(path, input)))
      throw new UsageError(`${path} is one of the files that are read; --force replaces it all the same`);
  };
  if (output !== undefined) {
    extensionOf(output);
    refuseInput(output);
  }
  if (picture !== undefined) {
    if (!/\.(png|gif)$/i.test(picture))
      throw new UsageError(`--picture ${picture}: pictures are written as .png, or as .gif where they move`);
    refuseInput(picture);
  }
  if (card !== undefined) {
    if (!/\.html?$/i.test(card)) throw new UsageError(`--card ${card}: report cards are written as .html`);
    refuseInput(card);
  }
  if (saveRecipe !== undefined) {
    if (!/\.json$/i.test(saveRecipe))
      throw new UsageError(`--save-recipe ${saveRecipe}: recipes are written as .json`);
    refuseInput(saveRecipe);
  }
  if (saveLayer !== undefined) {
    if (!/\.json$/i.test(saveLayer))
      throw new UsageError(`--save-layer ${saveLayer}: layers are written as .json`);
    refuseInput(saveLayer);
  }
  if (rootMotionFile !== undefined) refuseInput(rootMotionFile);
}
