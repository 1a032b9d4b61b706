import { defineOption } from '../option.js';
import type { GroundHeight, GroundRule, RootRule } from '../root-rule.js';
import { choice, code, field, number, onOff, record, text } from '../shape.js';

const stretch = () => number({ least: 0 });

/** Options that say how the body travels, and how high it is. */
export const ROOT_OPTIONS = {
  /** Overrides of the measured root scales. */
  rootScales: defineOption(
    record<{ horizontal?: number; vertical?: number; x?: number; z?: number }>({
      horizontal: field(stretch(), 'measured', 'how far travel over the ground is stretched'),
      vertical: field(stretch(), 'measured', 'how far height over the floor is stretched'),
      x: field(stretch(), 'as horizontal', 'how far travel to the body’s left is stretched by itself'),
      z: field(stretch(), 'as horizontal', 'how far travel ahead is stretched by itself'),
    }),
    {
      default: 'measured',
      summary: 'how far travel is stretched for the target, along the floor and up',
      group: 'root',
      pass: 'moveRoot',
      flag: {
        typed: '--root-scale <H[,V]>',
        says: 'stretch the travel by H along the floor and V up, or by three numbers: X aside, Y up, Z ahead',
      },
      live: true,
    },
  ),
  /** What the root takes over: place, turn, and how far the place is scaled. */
  root: defineOption(
    record<RootRule>({
      copyPosition: field(onOff(), 'true', 'whether the hips are moved at all'),
      copyRotation: field(onOff(), 'true', 'whether the hips are turned'),
      positionScale: field(
        number({ least: 0, most: 1 }),
        '1',
        '0 takes the metres of the source’s hips as they are, 1 scales them to the target',
      ),
    }),
    {
      default: 'all',
      summary: 'what the hips take over from the source: their place, their turn, and on which scale',
      group: 'root',
      flag: {
        typed: '--root <PARTS[,SCALE]>',
        says: 'what the hips take over: both, position, rotation or none; SCALE 0 takes their metres as they are, 1 scales them',
      },
      changesKeys: 'given',
      asks: true,
      live: true,
    },
  ),
  /** What happens to travel: stays on the hips, moves to the joint above them, or is taken out. */
  rootMotion: defineOption(choice('keep', 'extract', 'apart', 'inPlace'), {
    default: 'keep',
    summary:
      'where travel over the ground goes: it stays on the hips, moves to the root joint, is given apart, or is dropped',
    group: 'root',
    flag: {
      typed: '--root-motion <HOW>',
      says: 'keep on the hips, extract to the root joint, take apart into a file, or stay in-place',
    },
    changesKeys: ['extract', 'apart', 'inPlace'],
    live: true,
  }),
  /** The joint of either side, or the body part, that root motion is read from; the hips if left out. */
  rootMotionJoint: defineOption(text(), {
    default: 'hips',
    summary: 'the joint or body part that root motion is read from',
    group: 'root',
    flag: {
      typed: '--root-motion-joint <NAME>',
      says: 'read root motion from this joint or body part; the hips if left out',
    },
    changesKeys: 'given',
    live: true,
  }),
  /** Whether, and by which joint, the body's height is matched to the source's over time; it is not if left out. */
  ground: defineOption(
    record<GroundRule>({
      joint: field(text(), 'found', 'the joint or body part that stands on the ground'),
      dynamic: field(onOff(), 'false', 'take the lowest joint of each frame instead'),
      mode: field(
        choice('scaled', 'pin'),
        'scaled',
        'scaled: as high over where it stands, in the target’s scale; pin: exactly as high as the source’s, in metres',
      ),
    }),
    {
      default: 'off',
      summary: 'keep the height of a joint over the floor as in the source, by raising or lowering the body',
      group: 'root',
      pass: 'matchGround',
      flag: {
        typed: '--ground [JOINT]',
        says: 'keep the height of a joint or body part over the floor as in SOURCE: a toe if none is named; "lowest" takes the lowest joint of each frame; with ",pin" after it, in metres instead of the target’s scale',
      },
      changesKeys: 'given',
      live: true,
    },
  ),
  /** How high the ground is where it is not the even floor that the motion was made for. */
  groundHeight: defineOption(
    code<GroundHeight>('a function of x and z that gives a height, or the heights under both feet'),
    {
      default: 'an even floor',
      summary: 'how high the ground is where it is not even, so that feet stand on it',
      group: 'root',
      pass: 'placeFeet',
      saved: 'never',
      changesKeys: 'given',
      asks: true,
      live: true,
    },
  ),
};
