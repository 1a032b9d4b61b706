/*
 * The public names of the engine, at most eighty values and the types that their signatures name: what people program
 * with, and what versions promise to keep. docs/api.md says a sentence of each. What our own packages use beside them
 * stands in engine.ts (`@stuntdouble/core/engine`) and may change with any version.
 */

// Retargeting

export { PASS_NAMES } from './passes/pipeline.js';
export { retarget } from './retarget.js';
export { retargetTogether } from './retarget-together.js';
export { createRetargeter } from './retargeter.js';
export { setUpScenes } from './setup/set-up-scenes.js';

// What is understood of a skeleton

export { isRole, LIMB_ROLES, LIMBS, limbOf, mirrorRole, REQUIRED_ROLES, ROLES } from './body/roles.js';
export { chooseCharacter, createRig } from './body/understand/create-rig.js';

// Who drives whom

export { createRigMap, writeRigMapDocument } from './map/create-rig-map.js';
export { driverOf } from './map/rig-map.js';

// Chains and limits

export { readArmature, writeArmature } from './body/chains/armature-document.js';
export { createArmature } from './body/chains/create-armature.js';
export { LEG_JOINT_LIMITS } from './passes/limit-joints.js';
export { optionsOfArmature } from './recipe/armature-options.js';

// What is saved

export { readContacts } from './contacts/contact-document.js';
export { mergeRecipes, optionsOfRecipe, readRecipe, recipeOf } from './recipe/recipe.js';
export { recipeSchema } from './recipe/recipe-schema.js';

// Options

export { describeOption } from './options/describe-options.js';
export { listOptions, OPTIONS } from './options/list.js';
export { OPTION_GROUPS } from './options/option.js';

// How good a result is

export { measure } from './measures/measure.js';
export { poolMeasures } from './measures/pool-measures.js';

// Clips

export { closeLoop } from './clips/close-loop.js';
export { changeSpeed, trimClip } from './clips/edit-clip.js';
export { mirrorScene } from './clips/mirror-scene.js';
export { playClip } from './clips/playing-clip.js';
export { reduceKeys } from './clips/reduce-keys.js';
export { repairKeys } from './clips/repair-keys.js';
export { durationOf, frameRateOf, poseAt, sampleClip, sampleTrack } from './scene/clip.js';
export { bakeClip, clipOfMotion, readFrame } from './scene/motion.js';

// Skeletons and poses

export { findJoint, jointLabel } from './scene/joint-names.js';
export { copyPose, createModelPose, createPose, localToModel, modelPoseOf } from './scene/pose.js';
export {
  childrenOf,
  copySkeleton,
  createSkeleton,
  END,
  isAncestor,
  JOINT,
  SKINNED,
} from './scene/skeleton.js';

// A new bind pose

export { createBindPlayer } from './bind/bind-player.js';
export { createRetargetedBind, retargetInverseBinds } from './bind/retargeted-bind.js';

// Fewer joints

export { readReshapeScript, writeReshapeScript } from './reshape/reshape-script.js';
export { reshapeClip, reshapeSkeleton } from './reshape/reshape-skeleton.js';

// Errors and warnings

export { RetargetError, UsageError } from './base/errors.js';
export { isNote, NOTE_MEANINGS, WARNING_MEANINGS } from './base/warnings.js';

// Mathematics

export { createMatrix, multiplyMatrices } from './base/math/matrix.js';
export { multiplyQuaternions, quaternionAngle, rotateVector } from './base/math/quaternion.js';

// Types

export type { Mat4 } from './base/math/matrix.js';
export type { Numbers } from './base/math/quaternion.js';
export type { Note, NoteCode, Warning, WarningCode } from './base/warnings.js';
export type { BindPlayer } from './bind/bind-player.js';
export type { RetargetedBind, RetargetedBindOptions } from './bind/retargeted-bind.js';
export type { Armature, ArmatureOptions, Chain } from './body/chains/armature.js';
export type { ArmatureDocument } from './body/chains/armature-document.js';
export type { Rig, RigOptions, RoleGuess } from './body/rig.js';
export type { RigSpace } from './body/rig-space.js';
export type { Limb, Role } from './body/roles.js';
export type { ClipPlaying } from './clips/playing-clip.js';
export type { ContactDocument } from './contacts/contact-document.js';
export type { MapRules } from './map/pair-chains.js';
export type { JointPair, RigMap } from './map/rig-map.js';
export type { MeasureOptions } from './measures/measure.js';
export type { CoverageMeasure } from './measures/measure-coverage.js';
export type { MotionMeasures } from './measures/measure-motion.js';
export type { MeasureCurves } from './measures/measure-over-time.js';
export type { SkinMeasure } from './measures/measure-skin.js';
export type { PooledMeasures } from './measures/pool-measures.js';
export type { ClipMeasures, Report } from './measures/report/report.js';
export type { ResultVerdict, Verdict, VerdictReason } from './measures/verdict/result-verdict.js';
export type { ChainPair, ChainWeights, IndexingMethod, MatchingRule } from './options/chain-matching.js';
export type { ChainGoalRule, ChainRule, ChainRules } from './options/chain-rules.js';
export type { KeyTolerance, LoopOptions } from './options/clip-rules.js';
export type { Constraint } from './options/constraint.js';
export type { EditedContact } from './options/contact.js';
export type { OptionRow } from './options/describe-options.js';
export type {
  AlignmentMode,
  ImitationRule,
  JointLimits,
  TranslationRule,
  TwistRule,
} from './options/joint-rules.js';
export type { Layer } from './options/layer.js';
export type { LimbScalings, LookRule, Spacing } from './options/limb-rules.js';
export type { LimbSolvers } from './options/limb-solvers.js';
export type { OptionName, OptionPath } from './options/list.js';
export type { OptionData } from './options/option.js';
export type { MapChange, RigMapDocument } from './options/rig-map-document.js';
export type { GroundHeight, RootRule } from './options/root-rule.js';
export type { Schema } from './options/shape.js';
export type { RootMotionTrack } from './passes/parts/read-travel.js';
export type { RetargetOptions } from './passes/parts/told-options.js';
export type { Setup } from './passes/pass.js';
export type { PassName } from './passes/pipeline.js';
export type { Recipe } from './recipe/recipe.js';
export type { ReshapeNode } from './reshape/reshape-script.js';
export type { Reshaping } from './reshape/reshape-skeleton.js';
export type { RetargetResult } from './retarget.js';
export type { TogetherPart } from './retarget-together.js';
export type { Retargeter, RetargeterOptions } from './retargeter.js';
export type { Clip, Interpolation, MorphTrack, Track } from './scene/clip.js';
export type { Motion } from './scene/motion.js';
export type { Hierarchy, ModelPose, Pose } from './scene/pose.js';
export type { Character, Scene } from './scene/scene.js';
export type { Axis, JointDescription, Skeleton } from './scene/skeleton.js';
export type { ScenesSetup, SetUpOptions } from './setup/set-up-scenes.js';
export type { ChainSolver } from './solvers/create-solver.js';
export type { JointLimit } from './solvers/joint-limits.js';
export type { WayName } from './ways/clip-way.js';
