import { fileURLToPath } from 'node:url';

// The compiled module lies one folder deeper, in samples/dist.
const here = new URL(import.meta.url.includes('/dist/') ? '../' : './', import.meta.url);

/** The folder of the sample files, with a slash at its end. */
export const samplesFolder: string = fileURLToPath(new URL('files/', here));

/** The folder of saved maps, with a slash at its end. */
export const mapsFolder: string = fileURLToPath(new URL('maps/', here));

/** A sample file: its path from {@link samplesFolder}, and a few words for people. */
export type SampleEntry = {
  name: string;
  file: string;
  title: string;
  /** A saved map from {@link mapsFolder}, for names that mean nothing. */
  map?: string;
};

/** The sample characters; the motions were made for the first. */
export const SAMPLE_CHARACTERS: readonly SampleEntry[] = [
  { name: 'mixamo-guy', file: 'characters/mixamo-guy.glb', title: 'Mixamo-style guy' },
  { name: 'vrm-girl', file: 'characters/vrm-girl.vrm', title: 'VRM girl' },
  { name: 'unreal-mannequin', file: 'characters/unreal-mannequin.glb', title: 'Unreal-style mannequin' },
  { name: 'goblin', file: 'characters/goblin.glb', title: 'Goblin' },
  { name: 'child', file: 'characters/child.glb', title: 'Child in a raincoat' },
  { name: 'robot', file: 'characters/robot.glb', title: 'Robot', map: 'robot.json' },
];

/** The sample motions on the skeleton of the first character, and one of them as BVH. */
export const SAMPLE_MOTIONS: readonly SampleEntry[] = [
  { name: 'walk', file: 'motions/walk.glb', title: 'Walk, two cycles, travelling' },
  { name: 'run-turn', file: 'motions/run-turn.glb', title: 'Run with a turn to the left, root motion' },
  { name: 'jump', file: 'motions/jump.glb', title: 'Jump forward from standing' },
  {
    name: 'wave-on-one-leg',
    file: 'motions/wave-on-one-leg.glb',
    title: 'Wave on one leg, sparse cubic keys',
  },
  { name: 'walk-bvh', file: 'motions/walk.bvh', title: 'The walk as BVH, centimetres' },
];
