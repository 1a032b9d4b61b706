import type { NameTable } from './name-table.js';
import { acclaim } from './tables/acclaim.js';
import { advancedSkeleton } from './tables/advanced-skeleton.js';
import { arKit } from './tables/ar-kit.js';
import { autoRigPro } from './tables/auto-rig-pro.js';
import { biped } from './tables/biped.js';
import { classicBvh } from './tables/classic-bvh.js';
import { cmu } from './tables/cmu.js';
import { daz } from './tables/daz.js';
import { decentraland } from './tables/decentraland.js';
import { genesis9 } from './tables/genesis-9.js';
import { humanIk } from './tables/human-ik.js';
import { kayKit } from './tables/kay-kit.js';
import { kenney } from './tables/kenney.js';
import { kinect } from './tables/kinect.js';
import { makeHuman } from './tables/make-human.js';
import { makeHumanEarly } from './tables/make-human-early.js';
import { meta } from './tables/meta.js';
import { mixamo } from './tables/mixamo.js';
import { mmd } from './tables/mmd.js';
import { optiTrack } from './tables/opti-track.js';
import { plain } from './tables/plain.js';
import { plainJoints } from './tables/plain-joints.js';
import { quaternius } from './tables/quaternius.js';
import { reallusion } from './tables/reallusion.js';
import { rigify } from './tables/rigify.js';
import { rigifyEarly } from './tables/rigify-early.js';
import { roblox } from './tables/roblox.js';
import { rokoko } from './tables/rokoko.js';
import { secondLife } from './tables/second-life.js';
import { smpl } from './tables/smpl.js';
import { soma } from './tables/soma.js';
import { sourceEngine } from './tables/source-engine.js';
import { synty } from './tables/synty.js';
import { unity } from './tables/unity.js';
import { unreal } from './tables/unreal.js';
import { vrChat } from './tables/vr-chat.js';
import { vrm } from './tables/vrm.js';
import { vroid } from './tables/vroid.js';
import { webxrHand } from './tables/webxr-hand.js';
import { xsens } from './tables/xsens.js';

export type { NameTable } from './name-table.js';

/** Every naming convention that is known. Where two explain a skeleton equally well, the earlier one labels. */
export const NAME_TABLES: readonly NameTable[] = [
  humanIk,
  mixamo,
  decentraland,
  cmu,
  rokoko,
  soma,
  unreal,
  rigify,
  rigifyEarly,
  vrm,
  unity,
  vroid,
  biped,
  daz,
  genesis9,
  classicBvh,
  smpl,
  acclaim,
  kinect,
  xsens,
  optiTrack,
  makeHuman,
  makeHumanEarly,
  quaternius,
  kayKit,
  reallusion,
  autoRigPro,
  mmd,
  vrChat,
  arKit,
  advancedSkeleton,
  secondLife,
  synty,
  sourceEngine,
  roblox,
  meta,
  webxrHand,
  kenney,
  plain,
  plainJoints,
];
