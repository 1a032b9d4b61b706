import { acclaim } from './acclaim.js';
import { advancedSkeleton } from './advanced-skeleton.js';
import { arKit } from './ar-kit.js';
import { autoRigPro } from './auto-rig-pro.js';
import { biped } from './biped.js';
import { classicBvh } from './classic-bvh.js';
import { cmu } from './cmu.js';
import { daz } from './daz.js';
import { decentraland } from './decentraland.js';
import { genesis9 } from './genesis-9.js';
import { humanIk } from './human-ik.js';
import { kayKit } from './kay-kit.js';
import { kenney } from './kenney.js';
import { kinect } from './kinect.js';
import { makeHuman } from './make-human.js';
import { makeHumanEarly } from './make-human-early.js';
import { meta } from './meta.js';
import { mixamo } from './mixamo.js';
import { mmd } from './mmd.js';
import type { NameTable } from './name-table.js';
import { optiTrack } from './opti-track.js';
import { plain } from './plain.js';
import { plainJoints } from './plain-joints.js';
import { quaternius } from './quaternius.js';
import { reallusion } from './reallusion.js';
import { rigify } from './rigify.js';
import { rigifyEarly } from './rigify-early.js';
import { roblox } from './roblox.js';
import { rokoko } from './rokoko.js';
import { secondLife } from './second-life.js';
import { smpl } from './smpl.js';
import { sourceEngine } from './source-engine.js';
import { synty } from './synty.js';
import { unity } from './unity.js';
import { unreal } from './unreal.js';
import { vrChat } from './vr-chat.js';
import { vrm } from './vrm.js';
import { vroid } from './vroid.js';
import { webxrHand } from './webxr-hand.js';
import { xsens } from './xsens.js';

export type { NameTable } from './name-table.js';

/** Every naming convention that is known. Where two explain a skeleton equally well, the earlier one labels. */
export const NAME_TABLES: readonly NameTable[] = [
  humanIk,
  mixamo,
  decentraland,
  cmu,
  rokoko,
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
