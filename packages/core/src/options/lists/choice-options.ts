import { fieldsOf } from '../../base/plain-data.js';
import type { ReferenceChoice } from '../../body/reference.js';
import { defineOption } from '../option.js';
import type { RigMapDocument } from '../rig-map-document.js';
import { data, list, onOff, text } from '../shape.js';

const reference = () =>
  data<ReferenceChoice>('auto, rest, bind, an instant of a clip ({ clip, frame, time }), a pose, or edits');

/** Options that say what is moved, and onto what. */
export const CHOICE_OPTIONS = {
  /** The source's clips to move, by name; all if left out. */
  clips: defineOption(list(text()), {
    default: 'all',
    summary: 'which clips of the source are moved, by name',
    group: 'choice',
    flag: { typed: '--clip <NAME>', says: 'take this clip of SOURCE; repeatable; all clips if left out' },
  }),
  /** Name or number of the skeleton, where a file has several. */
  sourceSkeleton: defineOption(text(), {
    default: 'the one with most body parts',
    summary: 'the skeleton of the source, by name or number, where its file has several',
    group: 'choice',
    flag: {
      typed: '--source-skeleton <NAME>',
      says: 'the skeleton of SOURCE, by name or number, where there are several',
    },
    saved: 'place',
    live: true,
  }),
  /** Name or number of the skeleton, where a file has several. */
  targetSkeleton: defineOption(text(), {
    default: 'the one with most body parts',
    summary: 'the skeleton of the target, by name or number, where its file has several',
    group: 'choice',
    flag: {
      typed: '--skeleton <NAME>',
      says: 'the skeleton of TARGET, by name or number, where there are several',
    },
    saved: 'place',
    live: true,
  }),
  /** A map of the user's, or roles for joints whose names mean nothing. */
  map: defineOption(data<RigMapDocument>('a rig map, or roles by joint name', {}, fieldsOf), {
    default: 'found',
    summary: 'which joints of the source drive which of the target, where what is found is not what is meant',
    group: 'choice',
    flag: { typed: '--map <FILE>', says: 'who drives whom, as "stuntdouble map -o" writes it' },
    saved: 'place',
    live: true,
  }),
  /**
   * Whether the map is the user's word: then a joint that it leaves out does not move, even where both
   * skeletons are one and clips could be taken over whole.
   */
  mapIsTold: defineOption(onOff(), {
    default: 'where a map lists joints',
    summary: 'whether joints that the map leaves out stay still, even where both skeletons are one',
    group: 'choice',
  }),
  /** The pose that turns of the source are counted from; found if left out. */
  sourceReference: defineOption(reference(), {
    default: 'auto',
    summary: 'the pose of the source that turns are counted from',
    group: 'choice',
    flag: { typed: '--reference-source <POSE>', says: 'the pose turns of SOURCE are counted from' },
    saved: 'place',
    live: true,
  }),
  /** The pose that turns of the target are counted from; found if left out. */
  targetReference: defineOption(reference(), {
    default: 'auto',
    summary: 'the pose of the target that stands for the same',
    group: 'choice',
    flag: { typed: '--reference-target <POSE>', says: 'likewise for TARGET' },
    saved: 'place',
    live: true,
  }),
};
