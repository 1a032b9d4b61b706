import {
  composeMatrix,
  copySkeleton,
  createMatrix,
  createRig,
  multiplyMatrices,
  multiplyQuaternions,
  quaternionFromAxisAngle,
  type Scene,
  type Warning,
} from '@stuntdouble/core/engine';
import { FormatError } from '../format-error.js';

/*
 * The `.rig` text of SpireMiniEngine's MocapConverter, which says how a capture becomes the animation of a model:
 *
 *   mesh_rotate 0,90,0
 *   anim_scale 0.01
 *   mapping "Bip01 Pelvis"=Hips "Bip01 Spine"=Spine
 */

/** What a `.rig` file says (S22). */
export type SpireRig = {
  /** Degrees about x, then y, then z, by which the figure is turned. */
  meshRotate: [number, number, number];
  /** By which places are multiplied. */
  animScale: number;
  /** By the name of a joint of the capture the name that the model has for it. */
  mapping: Map<string, string>;
};

const FORMAT = 'Spire rig';

/** Reads the text of a `.rig` file. @throws FormatError that names the line that is wrong. */
export function readSpireRig(text: string): SpireRig {
  const rig: SpireRig = { meshRotate: [0, 0, 0], animScale: 1, mapping: new Map() };
  const refuse = (line: number, found: string, expected: string) =>
    new FormatError({ format: FORMAT, at: `line ${line}`, found, expected });
  const lines = text.split(/\r?\n/);
  let inMapping = false;
  lines.forEach((whole, i) => {
    const line = whole.trim();
    if (line === '' || line.startsWith('//') || line.startsWith('#')) return;
    const [, word, rest = ''] = /^(mesh_rotate|anim_scale|mapping)\b\s*(.*)$/.exec(line) ?? [];
    if (word === 'mesh_rotate') {
      const angles = rest.split(/[\s,]+/).map(Number);
      if (angles.length !== 3 || !angles.every(Number.isFinite))
        throw refuse(i + 1, rest, 'three angles: x,y,z');
      rig.meshRotate = angles as [number, number, number];
    } else if (word === 'anim_scale') {
      rig.animScale = Number(rest);
      if (!(rig.animScale > 0 && rig.animScale < 1e9)) throw refuse(i + 1, rest, 'a scale above 0');
    } else if (word === 'mapping' || inMapping)
      addPairs(rig.mapping, word === 'mapping' ? rest : line, i + 1);
    else throw refuse(i + 1, line.slice(0, 40), 'mesh_rotate, anim_scale or mapping');
    inMapping = word === 'mapping' || (inMapping && word === undefined);
  });
  return rig;
}

/** Reads `"model"=capture` pairs, names with quotes around them or none. */
function addPairs(mapping: Map<string, string>, text: string, line: number): void {
  let left = text.trim();
  while (left !== '') {
    const pair = /^(?:"([^"]*)"|([^\s="]+))\s*=\s*(?:"([^"]*)"|([^\s="]+))\s*,?\s*/.exec(left);
    if (!pair)
      throw new FormatError({
        format: FORMAT,
        at: `line ${line}`,
        found: left.slice(0, 40),
        expected: 'pairs such as "Bip01 Spine"=Spine',
      });
    mapping.set(pair[3] ?? pair[4]!, pair[1] ?? pair[2]!);
    left = left.slice(pair[0].length);
  }
}

/**
 * A scene as a `.rig` has it: joints with the model's names, places scaled, all of it turned.
 * @returns besides, a warning for each joint that the scene does not have.
 */
export function applySpireRig(scene: Scene, rig: SpireRig): { scene: Scene; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const known = new Set(scene.characters.flatMap(({ skeleton }) => skeleton.names));
  for (const [from, to] of rig.mapping)
    if (!known.has(from))
      warnings.push({
        code: 'map-entry-ignored',
        joint: from,
        message: `the rig calls "${from}" "${to}", but "${scene.name}" has no such joint`,
      });
  const turn = turnOf(rig.meshRotate);
  const characters = scene.characters.map(({ skeleton: own, clips }) => {
    const skeleton = copySkeleton(own);
    skeleton.names = own.names.map((name) => rig.mapping.get(name) ?? name);
    for (const pose of [skeleton.rest, ...(skeleton.bind ? [skeleton.bind] : [])])
      for (let i = 0; i < pose.translations.length; i++) pose.translations[i]! *= rig.animScale;
    const scaled = clips.map((clip) => ({
      ...clip,
      tracks: clip.tracks.map((track) =>
        track.channel === 'translation'
          ? { ...track, values: track.values.map((x) => x * rig.animScale) }
          : track,
      ),
    }));
    if (rig.meshRotate.some((angle) => angle !== 0)) {
      // Which way is up, and how long a metre is, is found before it is turned.
      const isPlaced = own.container.some((value, n) => value !== (n % 5 === 0 ? 1 : 0));
      const stands = isPlaced ? own.container : createRig(skeleton, { clips: scaled }).skeleton.container;
      skeleton.container = createMatrix();
      multiplyMatrices(skeleton.container, 0, turn, 0, stands, 0);
    }
    return { skeleton, clips: scaled };
  });
  return { scene: { ...scene, characters }, warnings };
}

/** Turns about x, then y, then z, as a matrix. */
function turnOf(degrees: readonly [number, number, number]): Float64Array {
  const all = Float64Array.of(0, 0, 0, 1);
  const one = new Float64Array(4);
  degrees.forEach((angle, axis) => {
    quaternionFromAxisAngle(
      one,
      0,
      Float64Array.from([0, 1, 2], (c) => Number(c === axis)),
      0,
      (angle * Math.PI) / 180,
    );
    multiplyQuaternions(all, 0, one, 0, all, 0);
  });
  const matrix = createMatrix();
  composeMatrix(matrix, 0, new Float64Array(3), 0, all, 0, Float64Array.of(1, 1, 1), 0);
  return matrix;
}
