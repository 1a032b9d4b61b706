import { fileURLToPath } from 'node:url';
import type { BvhDialectName } from './formats/bvh-dialects.js';

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
  {
    name: 'vrm0-sister',
    file: 'characters/vrm0-sister.vrm',
    title: 'VRM 0.x with two tails of hair: spring bones, blend shapes, faces −Z',
  },
  {
    name: 'vrm1-sister',
    file: 'characters/vrm1-sister.vrm',
    title: 'VRM 1.0 with two tails of hair: spring bones, expressions',
  },
  {
    name: 'knight',
    file: 'characters/knight.glb',
    title: 'Knight: skirt and sword on joints of their own, feet under the root',
  },
  { name: 'baker', file: 'characters/baker.glb', title: 'Baker: a fat body with twist joints, Rigify names' },
  { name: 'alien', file: 'characters/alien.glb', title: 'Alien: thin, a large head, joint_0 and so on' },
  { name: 'dog', file: 'animals/dog.glb', title: 'Dog: four legs, a tail and a walk in the file' },
];

/** Samples that show a format: characters and motions of the other lists, in another dress. */
export const SAMPLE_FORMATS: readonly SampleEntry[] = [
  { name: 'child-draco', file: 'formats/child-draco.glb', title: 'The child, compressed by Draco' },
  {
    name: 'goblin-meshopt',
    file: 'formats/goblin-meshopt.glb',
    title: 'The goblin, compressed by meshoptimizer',
  },
  {
    name: 'guy-walk-fbx',
    file: 'formats/guy-walk.fbx',
    title: 'The Mixamo-style guy and his walk as binary FBX: centimetres, pre-rotations',
  },
  {
    name: 'guy-painted-fbx',
    file: 'formats/guy-painted.fbx',
    title: 'The Mixamo-style guy in stripes as binary FBX, with the picture in the file',
  },
  {
    name: 'child-greeting-fbx',
    file: 'formats/child-greeting.fbx',
    title: 'The child with a greeting as ASCII FBX: inches, Z up',
  },
  {
    name: 'wave-vrma',
    file: 'formats/wave.vrma',
    title: 'The wave as VRM animation, with a smile and a blink',
  },
];

const chosen = (entries: readonly SampleEntry[], names: string): SampleEntry[] =>
  names.split(' ').map((name) => entries.find((entry) => entry.name === name)!);

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
  { name: 'idle', file: 'motions/idle.glb', title: 'Idle: breathing and shifting weight, loops' },
  { name: 'clap', file: 'motions/clap.glb', title: 'Clap: palms meet in front of the chest, loops' },
  { name: 'sit-down', file: 'motions/sit-down.glb', title: 'Sit down on a chair and get up again' },
  {
    name: 'sit-on-ground',
    file: 'motions/sit-on-ground.glb',
    title: 'Sit on the ground, hands around the shins, loops',
  },
  { name: 'kneel', file: 'motions/kneel.glb', title: 'Kneel on one knee and get up' },
  { name: 'crawl', file: 'motions/crawl.glb', title: 'Crawl on hands and knees, two cycles, loops' },
  { name: 'climb', file: 'motions/climb.glb', title: 'Climb a ladder, two cycles, loops' },
  { name: 'lie-down', file: 'motions/lie-down.glb', title: 'Lie down on the back and get up again' },
  {
    name: 'pick-up',
    file: 'motions/pick-up.glb',
    title: 'Pick up a box with both hands, put it down, let go',
  },
  {
    name: 'carry-box',
    file: 'motions/carry-box.glb',
    title: 'Carry a box with both hands, two cycles, loops',
  },
  { name: 'side-kick', file: 'motions/side-kick.glb', title: 'Side kick with the right leg' },
  {
    name: 'action-pose',
    file: 'motions/action-pose.glb',
    title: 'Action pose: a low lunge with an arm thrust ahead, held, loops',
  },
  { name: 'strafe', file: 'motions/strafe.glb', title: 'Strafe to the left, three steps, loops' },
  {
    name: 'handstand-freeze',
    file: 'motions/handstand-freeze.glb',
    title: 'Handstand freeze: upside down on both hands with split legs, and back',
  },
  {
    name: 'kip-up',
    file: 'motions/kip-up.glb',
    title: 'Kip up from lying on the back: a double kick, a flight, a landing',
  },
  {
    name: 'keeper-block',
    file: 'motions/keeper-block.glb',
    title: 'Goalkeeper block: a step aside, one knee down, the ball drawn to the chest',
  },
  {
    name: 'pray',
    file: 'motions/pray.glb',
    title: 'Pray: palms laid on each other before the chest, a bow, and hands down again',
  },
  {
    name: 'sword-strike',
    file: 'motions/sword-strike.glb',
    title: 'Sword strike: both fists on one grip, over the head and down, loops',
  },
  { name: 'walk-bvh', file: 'motions/walk.bvh', title: 'The walk as BVH, centimetres' },
];

/** A capture: a motion as a BVH of some origin has it. */
export type CaptureEntry = SampleEntry & { motion: string; dialect: BvhDialectName };

const capture = (motion: string, dialect: BvhDialectName, title: string): CaptureEntry => ({
  name: `${motion}-${dialect}`,
  file: `captures/${motion}-${dialect}.bvh`,
  title,
  motion,
  dialect,
});

/** The walk as programs and collections of captures write it, and captures of bodies that feet alone do not carry. */
export const SAMPLE_CAPTURES: readonly CaptureEntry[] = [
  capture('walk', 'biovision', 'Biovision names in inches, arms hang in the zero pose'),
  capture('walk', 'cmu', 'CMU as cgspeed converted it: its own unit, joints that never turn, T-pose first'),
  capture('walk', 'lafan1', 'LAFAN1: bones along X, so that the zero pose is no body'),
  capture('walk', 'xsens', 'Xsens: four chests, turns in the order YXZ'),
  capture('walk', 'rokoko', 'Rokoko: thighs and shins, the root stands at its offset'),
  capture('walk', 'neuron', 'Perception Neuron: position channels on every joint'),
  capture('walk', 'smpl', 'SMPL: metres, Z up'),
  capture('walk', 'mixamo', 'Mixamo names, no T-pose'),
  capture('walk', 'motionbuilder', 'MotionBuilder: HumanIK names, blanks at the ends of lines'),
  capture('crawl', 'cmu', 'On hands and knees'),
  capture('kneel', 'lafan1', 'On one knee'),
  capture('climb', 'mixamo', 'Up a ladder'),
  capture('lie-down', 'cmu', 'From standing to lying on the back, and up again'),
  capture('sit-on-ground', 'biovision', 'Sitting on the ground'),
];

/** The characters that the demo and README's pictures show: as different as can be, few enough for all pairs. */
export const DEMO_CHARACTERS: readonly SampleEntry[] = chosen(
  SAMPLE_CHARACTERS,
  'mixamo-guy vrm-girl unreal-mannequin goblin child robot',
);

/** The motions of the demo. */
export const DEMO_MOTIONS: readonly SampleEntry[] = chosen(
  SAMPLE_MOTIONS,
  'walk run-turn jump wave-on-one-leg walk-bvh',
);
