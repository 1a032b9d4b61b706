import { UsageError, type Warning } from '@stuntdouble/core';
import { FORMATS } from './detect.js';
import type { WriteInput, WriteOptions, Written } from './format.js';
import { nodeBuiltin } from './node-builtin.js';
import { hasMeshes } from './read-meshes.js';
import { reasonOf } from './read-whole-file.js';
import { pageAddress } from './resolve.js';

/**
 * Writes clips for a target to a file, in the format that the path's extension names: into the target's own
 * document where the formats agree, with all that was in it.
 *
 * The file is written whole or not at all, and an existing one is replaced only with `force`.
 * @throws UsageError where the file exists, the extension is unknown, or the folder cannot be written to.
 */
export async function write(
  path: string | URL,
  input: WriteInput,
  options: WriteOptions & { force?: boolean } = {},
): Promise<{ path: string; byteLength: number; warnings: Warning[] }> {
  if (pageAddress() !== null)
    throw new UsageError('write makes files, which a page cannot; writeBytes gives the bytes of one');
  const { access, link, rename, rm, writeFile } = nodeBuiltin('node:fs').promises;
  const { fileURLToPath } = nodeBuiltin('node:url');
  const target = path instanceof URL || /^file:/i.test(path) ? fileURLToPath(path) : path;
  const { force = false, ...rest } = options;
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  // Asked before the work as well as after it: nobody wants to wait for a refusal.
  if (exists && !force) throw new UsageError(`"${target}" exists; pass force to replace it`);
  const { bytes, warnings } = await writeBytes(/\.([^./\\]*)$/.exec(target)?.[1] ?? '', input, rest);
  const temporary = `${target}.${Math.random().toString(36).slice(2, 10)}.tmp`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    if (force) await rename(temporary, target);
    else {
      // Linking fails where a file has appeared since, renaming would replace it.
      await link(temporary, target).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'EEXIST') throw cause;
        // Some file systems have no links.
        return rename(temporary, target);
      });
    }
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new UsageError(
      isTaken
        ? `"${target}" exists; pass force to replace it`
        : `cannot write "${target}": ${reasonOf(cause).replace('file', 'folder')}`,
      { cause },
    );
  } finally {
    await rm(temporary, { force: true });
  }
  return { path: target, byteLength: bytes.length, warnings };
}

/** Formats that have no meshes, by their extensions. */
const MOTION_ALONE: readonly string[] = ['bvh', 'vrma'];

/**
 * Writes clips for a target to bytes, in the format that an extension names.
 * @param extension `glb`, `gltf`, `vrm`, `vrma`, `fbx` or `bvh`, with or without a dot.
 */
export async function writeBytes(
  extension: string,
  input: WriteInput,
  options: WriteOptions = {},
): Promise<Written> {
  const wanted = extension.replace(/^\./, '').toLowerCase();
  const format = FORMATS.find(({ extensions }) => extensions.includes(wanted));
  if (!format?.write) {
    const known = FORMATS.flatMap(({ write: can, extensions }) => (can ? extensions : [])).map(
      (e) => `.${e}`,
    );
    throw new UsageError(
      wanted === ''
        ? `the output has no extension; it says the format: ${known.join(', ')}`
        : `.${wanted} cannot be written; these can: ${known.join(', ')}`,
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
  const written = await format.write(input, { ...options, extension: wanted });
  if (MOTION_ALONE.includes(wanted) && input.scene.format !== wanted && hasMeshes(input.scene))
    written.warnings.push({
      code: 'motion-alone',
      message: `A .${wanted} file holds motion alone: meshes, materials and pictures of "${input.scene.name}" are not in it.`,
    });
  return written;
}
