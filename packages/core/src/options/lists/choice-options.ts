import { fieldsOf } from '../../base/plain-data.js';
import { NAMING_SCHEME_NAMES, type NamingScheme } from '../../body/names/naming-schemes.js';
import type { ReferenceChoice } from '../../body/reference.js';
import { ROLES } from '../../body/roles.js';
import type { Scene } from '../../scene/scene.js';
import type { Axis } from '../../scene/skeleton.js';
import { defineOption } from '../option.js';
import type { RigMapDocument } from '../rig-map-document.js';
import { choice, code, data, either, list, number, onOff, type Shape, table, text } from '../shape.js';

const reference = () =>
  data<ReferenceChoice>('auto, rest, bind, an instant of a clip ({ clip, frame, time }), a pose, or edits');

const axis = () => choice<Axis>('+X', '-X', '+Y', '-Y', '+Z', '-Z');

/** Metres in a unit that has a name. */
export const UNIT_METRES = { m: 1, dm: 0.1, cm: 0.01, mm: 0.001, in: 0.0254, ft: 0.3048 } as const;

/** A unit of length that has a name. */
export type UnitName = keyof typeof UNIT_METRES;

/** From a thousandth of a millimetre to a thousand kilometres: in other units bodies are beyond what numbers hold. */
const unit = () =>
  either(
    choice(...(Object.keys(UNIT_METRES) as UnitName[])),
    number({ least: 1e-6, most: 1e6, unit: 'metres' }),
  );

const naming = () =>
  either(choice(...NAMING_SCHEME_NAMES), table('body part', text(), ROLES) as Shape<NamingScheme>);

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
  /** Which names the source's joints have, where they tell nothing by themselves: a scheme, or names by body part. */
  sourceNaming: defineOption(naming(), {
    default: 'found',
    summary: 'the naming scheme of the source’s joints, by its name or as joint names by body part',
    group: 'choice',
    flag: {
      typed: '--naming-source <SCHEME>',
      says: 'which names the joints of SOURCE have: mixamo_full, mixamo_no_namespace or dude',
    },
    saved: 'place',
    live: true,
  }),
  /** Which names the target's joints have, where they tell nothing by themselves: a scheme, or names by body part. */
  targetNaming: defineOption(naming(), {
    default: 'found',
    summary: 'the naming scheme of the target’s joints, by its name or as joint names by body part',
    group: 'choice',
    flag: { typed: '--naming-target <SCHEME>', says: 'likewise for TARGET' },
    saved: 'place',
    live: true,
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
  /**
   * Other files with the source's skeleton: same names, parents and bones. Their clips say how it stands in place of its
   * own, so that a capture that lies, crawls or hangs all the time is read by those that stand, and all alike.
   */
  sourceFamily: defineOption(code<Scene | readonly Scene[]>('a scene, or a list of them'), {
    default: 'the source alone',
    summary: 'other files with the source’s skeleton, by which one that never stands is understood',
    group: 'choice',
    flag: {
      typed: '--reference-from <FILE>',
      says: 'a file with the skeleton of SOURCE that stands, where SOURCE never does; repeatable',
    },
    saved: 'never',
    live: true,
  }),
  /** Which axis of the source's file is up, where what is found is wrong. */
  sourceUp: defineOption(axis(), {
    default: 'found',
    summary: 'which axis of the source’s file is up',
    group: 'choice',
    flag: { typed: '--up-source <AXIS>', says: 'which axis of SOURCE is up: x, y, z, -x, -y or -z' },
    live: true,
  }),
  /** Which axis of the target's file is up, where what is found is wrong. */
  targetUp: defineOption(axis(), {
    default: 'found',
    summary: 'which axis of the target’s file is up',
    group: 'choice',
    flag: { typed: '--up-target <AXIS>', says: 'likewise for TARGET' },
    live: true,
  }),
  /** Which axis of its file the source's reference pose faces. */
  sourceFacing: defineOption(axis(), {
    default: 'found',
    summary: 'which axis of its file the source faces in its reference pose',
    group: 'choice',
    flag: {
      typed: '--facing-source <AXIS>',
      says: 'which axis SOURCE faces in its reference pose: x, y, z, -x, -y or -z',
    },
    live: true,
  }),
  /** Which axis of its file the target's reference pose faces. */
  targetFacing: defineOption(axis(), {
    default: 'found',
    summary: 'which axis of its file the target faces in its reference pose',
    group: 'choice',
    flag: { typed: '--facing-target <AXIS>', says: 'likewise for TARGET' },
    live: true,
  }),
  /** The unit of the source's file: a name, or metres. */
  sourceUnit: defineOption(unit(), {
    default: 'found',
    summary: 'the unit of the source’s file: m, dm, cm, mm, in, ft, or how many metres it is',
    group: 'choice',
    flag: { typed: '--unit-source <UNIT>', says: 'the unit of SOURCE: m, dm, cm, mm, in, ft, or metres' },
    live: true,
  }),
  /** The unit of the target's file: a name, or metres. */
  targetUnit: defineOption(unit(), {
    default: 'found',
    summary: 'the unit of the target’s file: m, dm, cm, mm, in, ft, or how many metres it is',
    group: 'choice',
    flag: { typed: '--unit-target <UNIT>', says: 'likewise for TARGET' },
    live: true,
  }),
  /** How high the source's floor is along up, over its file's origin, in its file's unit. */
  sourceFloor: defineOption(number(), {
    default: 'found',
    summary: 'how high the source’s floor is over the origin of its file, in the file’s unit',
    group: 'choice',
    flag: {
      typed: '--floor-source <HEIGHT>',
      says: 'how high the floor of SOURCE is over its origin, in its unit',
    },
    live: true,
  }),
  /** How high the target's floor is along up, over its file's origin, in its file's unit. */
  targetFloor: defineOption(number(), {
    default: 'found',
    summary: 'how high the target’s floor is over the origin of its file, in the file’s unit',
    group: 'choice',
    flag: { typed: '--floor-target <HEIGHT>', says: 'likewise for TARGET' },
    live: true,
  }),
};
