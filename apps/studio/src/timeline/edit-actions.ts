import { type Constraint, copyPose, type Layer, modelPoseOf, sampleClip } from '@stuntdouble/core/engine';
import { create } from 'zustand';
import { changeOwn, effectiveRecipe } from '../document/document.js';
import { withPartsInWords } from '../panels/report/plain-reasons.js';
import { activeResult, sourceTiming } from '../stage/content.js';
import { chooseTab } from '../state/actions.js';
import { clock } from '../state/clock.js';
import { say, useDerived } from '../state/derived-store.js';
import { changeDocument } from '../state/document-store.js';
import { setView, useView } from '../state/view-store.js';
import { constraintTitle, type EditChoice, moveKeys, withoutKeys } from './edit-lanes.js';

const NOTHING: EditChoice = { constraint: -1, layer: -1, key: null };

/** The constraint, or the keys of a layer, that are selected; −1 for none. Keys by their time in the result. */
export const useEditChoice = create<EditChoice>(() => NOTHING);

/** Selects a constraint or keys, and shows what can be told of them. */
export function chooseEdit(choice: Partial<EditChoice>): void {
  useEditChoice.setState({ ...NOTHING, ...choice });
  if ((choice.constraint ?? -1) >= 0 || (choice.layer ?? -1) >= 0) chooseTab('tune');
}

/** What a person did by hand to the active character's motion. */
export function currentEdits(): { constraints: Constraint[]; layers: Layer[] } {
  const result = activeResult();
  return { constraints: result?.job.recipe.constraints ?? [], layers: result?.job.recipe.layers ?? [] };
}

function tellEdits(
  label: string,
  change: (edits: { constraints: Constraint[]; layers: Layer[] }) => {
    constraints?: Constraint[];
    layers?: Layer[];
  },
  gesture: string | null = null,
): void {
  const result = activeResult();
  if (!result) return;
  const { target } = result.job;
  changeDocument(
    label,
    (document) => {
      const { constraints = [], layers = [] } = effectiveRecipe(document, target);
      const next = change({ constraints, layers });
      // An empty list is told where all characters have some: this one has none.
      const put = <T>(name: 'constraints' | 'layers', list: T[] | undefined) =>
        list === undefined
          ? {}
          : list.length > 0 || document.shared[name]
            ? { [name]: list }
            : { [name]: undefined };
      return changeOwn(document, target, (recipe) => {
        const own = { ...recipe, ...put('constraints', next.constraints), ...put('layers', next.layers) };
        return Object.fromEntries(
          Object.entries(own).filter(([, value]) => value !== undefined),
        ) as typeof recipe;
      });
    },
    gesture,
  );
}

/** Changes one constraint. */
export function changeConstraint(
  index: number,
  change: (constraint: Constraint) => Constraint,
  label: string,
  gesture: string | null = null,
): void {
  tellEdits(
    label,
    ({ constraints }) => ({ constraints: constraints.map((one, n) => (n === index ? change(one) : one)) }),
    gesture,
  );
}

/** Changes one layer; null takes it away. */
export function changeLayer(
  index: number,
  change: (layer: Layer) => Layer | null,
  label: string,
  gesture: string | null = null,
): void {
  tellEdits(
    label,
    ({ layers }) => ({
      layers: layers.flatMap((one, n) => {
        const next = n === index ? change(one) : one;
        return next ? [next] : [];
      }),
    }),
    gesture,
  );
}

/** The joint that edits are about: the selected one of the character, else its right hand. */
function meantJoint(): { joint: number; name: string } | null {
  const result = activeResult();
  const facts = result && useDerived.getState().files[result.job.target]?.facts;
  if (!facts?.skeleton) return null;
  const { selection } = useView.getState();
  const joint =
    selection?.side === 'target'
      ? selection.joint
      : (facts.joints.rightHand ?? facts.joints.head ?? facts.skeleton.names.length - 1);
  return { joint, name: facts.roles[joint] ?? facts.skeleton.names[joint]! };
}

/** Selects the joint that an edit is about: where none was selected it is seen which, and its handle is there. */
function selectMeant({ joint }: { joint: number }): void {
  setView({ selection: { side: 'target', joint } });
}

/** Where a joint of the active result is at a time: model space, metres. */
function placeAt(joint: number, time: number): [number, number, number] | null {
  const result = activeResult();
  const skeleton = result && useDerived.getState().files[result.job.target]?.facts.skeleton;
  if (!skeleton || !result?.entry) return null;
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, result.entry.clip, time);
  const { matrices } = modelPoseOf(skeleton, pose);
  const at = (n: number) => Number(matrices[16 * joint + 12 + n]!.toFixed(4));
  return [at(0), at(1), at(2)];
}

/** A goal that holds a joint where it is at a time of the result; null while there is none. */
function goalAt(meant: { joint: number; name: string }, time: number): Constraint | null {
  const result = activeResult();
  const place = placeAt(meant.joint, time);
  if (!result?.entry || !place) return null;
  const timing = sourceTiming(result.job);
  const { duration } = result.entry.clip;
  const told = (seconds: number) =>
    Number((timing.offset + Math.max(0, Math.min(duration, seconds)) * timing.rate).toFixed(6));
  return {
    clip: result.clip,
    joint: meant.name,
    kind: 'point',
    goal: { place },
    times: { in: told(time - 0.25), start: told(time), end: told(time + 0.4), out: told(time + 0.65) },
  };
}

/** Adds a constraint at a time of the result: the selected joint stays where it is then, and can be dragged from there. */
export function addConstraint(time = clock.time()): void {
  const meant = meantJoint();
  const constraint = meant && goalAt(meant, time);
  if (!constraint) {
    say('error', 'A constraint needs a result to hold: drop a motion and a character first.');
    return;
  }
  const index = currentEdits().constraints.length;
  tellEdits(`New constraint: ${constraintTitle(constraint)}`, ({ constraints }) => ({
    constraints: [...constraints, constraint],
  }));
  clock.play(false);
  clock.seek(time);
  selectMeant(meant);
  chooseEdit({ constraint: index });
}

/** Adds goals that hold both hands and both feet where they are at a time: what to drag next is there. */
export function addLimbGoals(time = clock.time()): void {
  const result = activeResult();
  const facts = result && useDerived.getState().files[result.job.target]?.facts;
  if (!facts) return;
  const goals = (['leftHand', 'rightHand', 'leftFoot', 'rightFoot'] as const).flatMap((name) => {
    const joint = facts.joints[name];
    return joint === undefined ? [] : (goalAt({ joint, name }, time) ?? []);
  });
  if (goals.length === 0) {
    say('error', 'There is nothing to hold: the character has no hands or feet, or no result yet.');
    return;
  }
  tellEdits('Hold hands and feet', ({ constraints }) => ({ constraints: [...constraints, ...goals] }));
  clock.play(false);
}

/** Takes every goal away. */
export function removeGoals(): void {
  tellEdits('Remove all goals', () => ({ constraints: [] }));
  useEditChoice.setState(NOTHING);
}

/**
 * Gives the selected joint a key at a time of the result, in the chosen layer or else in the first one of this clip or
 * a new one. @param degrees A rotation vector in model axes of the aligned reference; as the layer has it if left out.
 */
export function addKey(
  time = clock.time(),
  degrees?: readonly [number, number, number],
  gesture: string | null = null,
): void {
  const result = activeResult();
  const meant = meantJoint();
  if (!result?.entry || !meant) return;
  const timing = sourceTiming(result.job);
  const at = Number((timing.offset + time * timing.rate).toFixed(6));
  const { layers } = currentEdits();
  const isMeant = ({ clip }: Layer) => clip === undefined || clip === result.clip;
  const chosen = useEditChoice.getState().layer;
  const found = layers[chosen] ? chosen : layers.findIndex(isMeant);
  const index = found >= 0 ? found : layers.length;
  const layer = layers[index] ?? { name: 'layer 1', clip: result.clip };
  const keys = layer.joints?.[meant.name] ?? [];
  const before = keys.find((key) => Math.abs(key.time - at) < 1e-6);
  const key = {
    time: at,
    degrees: degrees ? ([...degrees] as [number, number, number]) : (before?.degrees ?? [0, 0, 0]),
  };
  const others = keys.filter((one) => one !== before);
  const next: Layer = {
    ...layer,
    joints: {
      ...layer.joints,
      [meant.name]: [...others, key].sort((a, b) => a.time - b.time) as NonNullable<Layer['joints']>[string],
    },
  };
  tellEdits(
    `Key of ${withPartsInWords(meant.name)}`,
    (edits) => ({
      layers:
        index < edits.layers.length
          ? edits.layers.map((one, n) => (n === index ? next : one))
          : [...edits.layers, next],
    }),
    gesture,
  );
  clock.play(false);
  selectMeant(meant);
  chooseEdit({ layer: index, key: time });
}

/** Moves all keys of a layer at one time of the result to another. */
export function moveLayerKeys(layer: number, from: number, to: number, gesture: string | null = null): void {
  const result = activeResult();
  if (!result) return;
  const { offset, rate } = sourceTiming(result.job);
  const told = (time: number) => Number((offset + time * rate).toFixed(6));
  changeLayer(layer, (one) => moveKeys(one, told(from), told(to)), 'Move keys', gesture);
  useEditChoice.setState({ layer, key: to });
}

/** Takes the selected constraint, or the selected keys, away. @returns whether something was selected. */
export function deleteSelectedEdit(): boolean {
  const { constraint, layer, key } = useEditChoice.getState();
  const edits = currentEdits();
  const result = activeResult();
  if (edits.constraints[constraint]) {
    const label = `Delete ${constraintTitle(edits.constraints[constraint])}`;
    tellEdits(label, ({ constraints }) => ({ constraints: constraints.filter((_, n) => n !== constraint) }));
  } else if (edits.layers[layer] && result) {
    const { offset, rate } = sourceTiming(result.job);
    changeLayer(
      layer,
      (one) => (key === null ? null : withoutKeys(one, offset + key * rate)),
      key === null ? 'Delete a layer' : 'Delete keys',
    );
  } else return false;
  useEditChoice.setState(NOTHING);
  return true;
}

/** The turn that a layer has for a joint at a time, where it has a key there; null else. */
export function keyAt(layer: Layer | undefined, joint: string, time: number): readonly number[] | null {
  return layer?.joints?.[joint]?.find((key) => Math.abs(key.time - time) < 1e-4)?.degrees ?? null;
}
