import { oneLine, UsageError, type Warning } from '@stuntdouble/core/engine';
import { FORMATS } from './detect.js';
import type { WriteInput, WriteOptions, Written } from './format.js';
import { heedSignal } from './heed-signal.js';
import { FILE_KINDS, WRITTEN_EXTENSIONS } from './kinds/index.js';
import { nodeBuiltin } from './node-builtin.js';
import { findPlace, type PutOptions, putFile } from './put-file.js';
import { hasMeshes } from './read-meshes.js';
import { pageAddress } from './resolve.js';

/**
 * Writes clips for a target to a file, in the format that the path's extension names: into the target's own
 * document where the formats agree, with all that was in it.
 *
 * The file is written whole or not at all, and is on the disk before it gets its name. An existing one is replaced only
 * with `force`, and the new one has its mode and owner; a link is written through only with `writeThrough`.
 * @throws UsageError where the file exists, the extension is unknown, or the folder cannot be written to.
 */
export async function write(
  path: string | URL,
  input: WriteInput,
  options: WriteOptions & PutOptions = {},
): Promise<{ path: string; byteLength: number; warnings: Warning[] }> {
  if (pageAddress() !== null)
    throw new UsageError('write makes files, which a page cannot; writeBytes gives the bytes of one');
  const { fileURLToPath } = nodeBuiltin('node:url');
  const target = path instanceof URL || /^file:/i.test(path) ? fileURLToPath(path) : path;
  const { force = false, writeThrough = false, ...rest } = options;
  // Asked before the work as well as after it: nobody wants to wait for a refusal.
  await findPlace(target, { force, writeThrough });
  const { bytes, warnings } = await writeBytes(/\.([^./\\]*)$/.exec(target)?.[1] ?? '', input, rest);
  await putFile(target, bytes, { force, writeThrough });
  return { path: target, byteLength: bytes.length, warnings };
}

/**
 * Writes clips for a target to bytes, in the format that an extension names.
 * @param extension One of those that `FILE_KINDS` has, with or without a dot: `glb`, `fbx`.
 */
export async function writeBytes(
  extension: string,
  input: WriteInput,
  options: WriteOptions = {},
): Promise<Written> {
  const asked = extension.replace(/^\./, '').toLowerCase();
  const wanted = WRITTEN_EXTENSIONS.find((known) => known === asked);
  const format = wanted && FORMATS.find(({ extensions }) => extensions.includes(wanted));
  if (!wanted || !format?.write) {
    const known = WRITTEN_EXTENSIONS.map((each) => `.${each}`).join(', ');
    throw new UsageError(
      asked === ''
        ? `the output has no extension; it says the format: ${known}`
        : `.${asked} cannot be written; these can: ${known}`,
    );
  }
  // A file without a skeleton can still be written as it is.
  // Without a body there are morph weights at most.
  const isBare =
    input.scene.characters.length === 0 && input.clips.every(({ tracks }) => tracks.length === 0);
  if (!input.scene.characters[input.character] && !isBare)
    throw new UsageError(
      `character is ${input.character}; the scene "${input.scene.name}" has ${input.scene.characters.length}`,
    );
  if (options.compress && !FILE_KINDS[wanted].compresses)
    throw new UsageError(`.${wanted} has no compressed form; write .glb or .vrma, or do not compress`);
  options.signal?.throwIfAborted();
  const { write } = format;
  const written = await heedSignal(options.signal, () => write(input, { ...options, extension: wanted }));
  options.signal?.throwIfAborted();
  if (!FILE_KINDS[wanted].meshes && input.scene.format !== wanted && hasMeshes(input.scene))
    written.warnings.push({
      code: 'motion-alone',
      message: `A .${wanted} file holds motion alone: meshes, materials and pictures of "${input.scene.name}" are not in it.`,
    });
  // Names of files are in them.
  return { ...written, warnings: written.warnings.map(shown) };
}

function shown(warning: Warning): Warning {
  return { ...warning, message: oneLine(warning.message) };
}
