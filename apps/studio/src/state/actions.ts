import { jointLabel, type MapChange, type Plain } from '@stuntdouble/core/engine';
import {
  activeTarget,
  changeOwn,
  changeShared,
  effectiveRecipe,
  type FileRef,
  jobOf,
  type StudioDocument,
  withFile,
  withMapChange,
  withSetting,
} from '../document/document.js';
import { hashOf, type KeptFile, keepFile, keptFile } from '../document/file-store.js';
import type { Engine } from '../engine/engine.js';
import { type FileFacts, hashOfId, skeletonOfId } from '../engine/protocol.js';
import { plainRefusal } from '../panels/report/plain-reasons.js';
import { fetchSample, SAMPLE_BODY, SHELF } from '../panels/shelf.js';
import { clock } from './clock.js';
import { missingOf, say, tell, useDerived } from './derived-store.js';
import {
  amendDocument,
  changeDocument,
  currentDocument,
  replaceDocument,
  useDocument,
} from './document-store.js';
import { type BottomTab, setView, useView } from './view-store.js';

let engine: Engine | null = null;

/** Gives the actions their engine. */
export function connectEngine(given: Engine): void {
  engine = given;
}

/** The engine that was given. */
export function theEngine(): Engine {
  if (!engine) throw new Error('the engine has not been started');
  return engine;
}

/** Reads a file and keeps it, so that it is there after a reload. @throws EngineError in one sentence. */
export async function holdFile(
  given: KeptFile,
  more: Partial<FileRef> = {},
  skeleton?: string,
): Promise<FileRef> {
  const hash = await hashOf(await given.file.arrayBuffer());
  const id = skeleton === undefined ? hash : `${hash}#${skeleton}`;
  const ref: FileRef = { name: given.name, size: given.file.size, sha256: id, ...more };
  if (!useDerived.getState().files[id]) {
    const { name, file, beside } = given;
    const facts = await theEngine().open({ id, name, file, beside });
    const held = { id, name, size: file.size, file, beside, facts };
    useDerived.setState(({ files }) => ({ files: { ...files, [id]: held } }));
    tell(facts.warnings, { file: given.name, about: [id] });
    // It is shown before it is kept: writing takes longer than reading.
    whileOpening(async () => {
      if (!(await keepFile(hash, { name, file, beside }))) useDerived.setState({ saved: 'not kept' });
    });
  }
  return ref;
}

/** What a file can be. */
function kindOf(facts: FileFacts): 'motion' | 'character' | 'both' | 'nothing' {
  if (!facts.skeleton) return 'nothing';
  if (!facts.hasMeshes) return facts.clips.length > 0 ? 'motion' : 'character';
  return facts.clips.some(({ duration }) => duration > STILL_SECONDS) ? 'both' : 'character';
}

/** A clip of a body that lasts no longer is how programs write a stance: nobody wants to see that move. */
const STILL_SECONDS = 0.05;

/** Does something that opens files, and says meanwhile that it does. */
async function whileOpening<T>(work: () => Promise<T>): Promise<T> {
  useDerived.setState(({ opening }) => ({ opening: opening + 1 }));
  try {
    return await work();
  } finally {
    useDerived.setState(({ opening }) => ({ opening: opening - 1 }));
  }
}

/** Where dropped files are to go; null lets them find their place. */
export type Place = 'source' | 'target' | null;

/** A file that could be either side, and waits for a word; as a character it may come beside those that are there. */
export type Question = { ref: FileRef; facts: FileFacts; add: boolean };

/**
 * Takes in dropped or chosen files: recipes and documents are opened, motions become the source, characters become
 * targets. A file that could be both is asked about, unless a place was pointed at. One that cannot be read is a
 * line in the console, and everything stays as it was.
 */
export function takeFiles(list: readonly File[], place: Place = null, add = false): Promise<void> {
  return whileOpening(() => takeAll(list, place, add));
}

/** Whether a file stands beside another one: a buffer or a picture. */
export function isPart({ name }: File): boolean {
  return /\.(bin|png|jpe?g|webp|ktx2|tga|bmp)$/i.test(name);
}

/** A file's name as it can be shown: without what is not seen, and turns what stands beside it around. */
function plainName({ name }: File): string {
  return name.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** What was shown below before a complaint took its place; null where people chose what is there. */
let hiddenByComplaint: BottomTab | null = null;

/** Shows the console, for what was just said there. */
function showComplaint(): void {
  const { bottom } = useView.getState();
  if (bottom !== 'console') hiddenByComplaint = bottom;
  setView({ bottom: 'console' });
}

/** With the next files the complaint about the last ones makes room again. */
function putComplaintAway(): void {
  if (hiddenByComplaint && useView.getState().bottom === 'console') setView({ bottom: hiddenByComplaint });
  hiddenByComplaint = null;
}

async function takeAll(list: readonly File[], place: Place, add: boolean): Promise<void> {
  putComplaintAway();
  const isJson = ({ name }: File) => /\.json$/i.test(name);
  const beside = list.filter(isPart).map((file) => ({ name: file.name, file }));
  if (beside.length > 0 && beside.length === list.length) {
    const names = beside.map(({ name }) => name).join(', ');
    say('error', `${names}: pictures and buffers belong to a model; drop them together with it.`);
    showComplaint();
  }
  const found: { ref: FileRef; facts: FileFacts }[] = [];
  for (const file of list.filter((one) => !isPart(one))) {
    try {
      if (isJson(file)) {
        await takeDocument(file);
        continue;
      }
      const ref = await holdFile({
        name: plainName(file),
        file,
        beside: /\.(gltf|fbx)$/i.test(file.name) ? beside : [],
      });
      if (!(await answerMissing(ref)))
        found.push({ ref, facts: useDerived.getState().files[ref.sha256]!.facts });
    } catch (error) {
      say('error', plainRefusal(file.name, error instanceof Error ? error.message : String(error)));
      showComplaint();
    }
  }
  const unsure: Question[] = [];
  // Of several characters the first goes where one would have gone by itself, the others beside it.
  let cast = add;
  const putCharacter = (ref: FileRef) => {
    putFile(ref, 'target', cast);
    cast = true;
  };
  for (const { ref, facts } of found) {
    const kind = kindOf(facts);
    if (kind === 'nothing') {
      say('error', `${ref.name} has no skeleton: nothing in it can be retargeted.`);
      showComplaint();
    } else if (place === 'source') putFile(ref, 'source');
    else if (place === 'target') putCharacter(ref);
    else if (kind === 'both' && found.length === 1) unsure.push({ ref, facts, add });
    else if (kind === 'both') {
      const hasMotion = found.some((other) => kindOf(other.facts) === 'motion');
      if (!hasMotion && found[0]!.ref === ref) putFile(ref, 'source');
      else putCharacter(ref);
    } else if (kind === 'motion') putFile(ref, 'source');
    else putCharacter(ref);
  }
  if (unsure.length > 0) onQuestion(unsure);
}

let onQuestion: (questions: Question[]) => void = () => {};
/** Says who asks the person about files that could be both. */
export function answerQuestionsBy(ask: (questions: Question[]) => void): void {
  onQuestion = ask;
}

/**
 * Takes a file for one that a reopened document asks for: the very same, or one of its name, with a warning.
 * @returns whether it was asked for.
 */
async function answerMissing(ref: FileRef): Promise<boolean> {
  const missing = missingOf(useDerived.getState(), currentDocument());
  const same = missing.find(({ sha256 }) => hashOfId(sha256) === ref.sha256);
  const asked = same ?? missing.find(({ name }) => name === ref.name);
  if (!asked) return false;
  const skeleton = skeletonOfId(asked.sha256);
  const held = useDerived.getState().files[ref.sha256];
  if (same && held && skeleton !== undefined) await holdFile(held, {}, skeleton);
  if (!same) {
    say('warning', `${ref.name} is another file than the one the document was made with.`);
    amendDocument(withFile(currentDocument(), asked.sha256, ref));
  }
  useDerived.setState({ missing: missing.filter((one) => one !== asked) });
  return true;
}

let autoplay = true;

/** Says whether a motion plays as soon as it is there: not where people want less of that. */
export function setAutoplay(on: boolean): void {
  autoplay = on;
}

/** Makes a file the source, a target, or one target more. */
export function putFile(ref: FileRef, place: 'source' | 'target', add = false): void {
  if (place === 'source') {
    changeDocument(`Motion ${ref.name}`, (document) => withSource(document, ref));
    setView({ clip: null, selection: null, mapping: null });
    clock.seek(0);
    if (autoplay) clock.play(true);
    return;
  }
  changeDocument(`Character ${ref.name}`, (document) => {
    const at = document.targets.findIndex(({ sha256 }) => sha256 === ref.sha256);
    if (at >= 0) return { ...document, active: at };
    const targets = add ? [...document.targets, ref] : replaceActive(document, ref);
    return { ...document, targets, active: targets.indexOf(ref) };
  });
  setView({ selection: null, mapping: null });
}

/** A document with another source. What was told of the old one's pose and contacts does not hold for it. */
function withSource(document: StudioDocument, ref: FileRef): StudioDocument {
  if (document.source?.sha256 === ref.sha256) return document;
  const shared = changeShared(document, (recipe) => {
    const { references: _, ...rest } = withSetting(recipe, 'contacts', undefined);
    return rest;
  });
  return { ...shared, source: ref };
}

function replaceActive({ targets, active }: StudioDocument, ref: FileRef): FileRef[] {
  return targets.length === 0 ? [ref] : targets.map((target, n) => (n === active ? ref : target));
}

/** Takes another skeleton of a file that has several, for the side that it is on. */
export async function chooseSkeleton(side: 'source' | 'target', ref: FileRef, number: number): Promise<void> {
  const held = useDerived.getState().files[ref.sha256];
  if (!held || held.facts.character === number) return;
  const { sha256: _, ...more } = ref;
  const chosen = await whileOpening(() => holdFile(held, more, String(number)));
  const name = held.facts.characters[number]?.name ?? '';
  changeDocument(`Skeleton ${name || number}`, (document) => {
    if (side === 'source') return withSource(document, chosen);
    const at = document.targets.findIndex(({ sha256 }) => sha256 === ref.sha256);
    return { ...document, targets: document.targets.map((one, n) => (n === at ? chosen : one)) };
  });
  setView({ selection: null, mapping: null, ...(side === 'source' && { clip: null }) });
}

/** Exchanges the two sides. */
export function swapSides(): void {
  changeDocument('Swap source and character', (document) => {
    const target = activeTarget(document);
    if (!document.source || !target) return document;
    const targets = document.targets.map((one) => (one === target ? document.source! : one));
    return { ...withSource(document, target), targets };
  });
  setView({ clip: null, selection: null, mapping: null });
}

/** Makes the source, which does not move, the character; the motion is the last one that was there. */
export function castSource(): void {
  const { past } = useDocument.getState().history;
  const { files } = useDerived.getState();
  changeDocument('Use it as the character', (document) => {
    const { source, targets } = document;
    if (!source) return document;
    const moving = [...past]
      .reverse()
      .map(({ state }) => state.source)
      .find((ref) => (ref && files[ref.sha256]?.facts.clips.length) ?? false);
    const at = targets.findIndex(({ sha256 }) => sha256 === source.sha256);
    const next = at >= 0 ? targets : replaceActive(document, source);
    const active = next.findIndex(({ sha256 }) => sha256 === source.sha256);
    return { ...document, source: moving ?? null, targets: next, active };
  });
  setView({ clip: null, selection: null, mapping: null });
}

/** Takes a character out of the grid. */
export function removeTarget(index: number): void {
  changeDocument('Remove a character', (document) => {
    const targets = document.targets.filter((_, n) => n !== index);
    return { ...document, targets, active: Math.max(0, Math.min(document.active, targets.length - 1)) };
  });
}

/** Makes a character the one that the panels are about. */
export function activateTarget(index: number): void {
  changeDocument('Choose a character', (document) =>
    document.active === index ? document : { ...document, active: index },
  );
  setView({ selection: null, mapping: null });
}

/** Takes something from the shelf. */
export async function takeSample(
  path: string,
  place: 'source' | 'target',
  add = false,
): Promise<FileRef | null> {
  try {
    const ref = await whileOpening(() => holdSample(path));
    putFile(ref, place, add);
    return ref;
  } catch (error) {
    say('error', error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** Reads a sample without putting it anywhere. */
export async function holdSample(path: string): Promise<FileRef> {
  const entry = SHELF.find((one) => one.path === path);
  const file = await fetchSample(path);
  const name = entry?.name ?? path;
  const wears = path.startsWith('motions/') && path.endsWith('.glb') ? { wears: SAMPLE_BODY } : {};
  return holdFile({ name, file, beside: [] }, { sample: true, ...wears });
}

/** Opens a saved document, a recipe or a map; what is no such thing is refused with a sentence. */
async function takeDocument(file: File): Promise<void> {
  const json: unknown = JSON.parse(await file.text());
  if (typeof json !== 'object' || json === null)
    throw new Error('this JSON is neither a document nor a recipe');
  if ('targets' in json && 'shared' in json) {
    const refs = [(json as StudioDocument).source, ...(json as StudioDocument).targets];
    await openDocument(
      json as StudioDocument,
      refs.filter((ref) => ref !== null),
      `Open ${file.name}`,
    );
    return;
  }
  const { recipe, warnings } = await theEngine().quick.ask({ type: 'readRecipe', json });
  tell(warnings, { file: file.name });
  changeDocument(`Recipe ${file.name}`, (document) => {
    const target = activeTarget(document);
    const { map, references, target: side, ...rest } = recipe;
    const shared = { ...document, shared: { ...document.shared, ...rest } as StudioDocument['shared'] };
    if (!target || (!map && !references && !side)) return shared;
    return changeOwn(shared, target.sha256, (own) => ({
      ...own,
      ...(map && { map }),
      ...(references && { references }),
      ...(side && { target: side }),
    }));
  });
}

/** Tells a setting, or leaves it to its default (undefined): for all characters, or for the active one alone. */
export function tellSetting(
  path: string,
  value: Plain | undefined,
  options: { label?: string; gesture?: string | null; own?: boolean } = {},
): void {
  const label = options.label ?? `${value === undefined ? 'Reset' : 'Set'} ${path}`;
  changeDocument(
    label,
    (document) => {
      const target = activeTarget(document);
      if (options.own && target)
        return changeOwn(document, target.sha256, (recipe) => withSetting(recipe, path, value));
      return changeShared(document, (recipe) => withSetting(recipe, path, value));
    },
    options.gesture ?? null,
  );
}

/** Pairs a target joint of the active character with a source joint, or (null) with none. */
export function pairJoints(target: number, source: number | null): void {
  const document = currentDocument();
  const job = jobOf(document);
  if (!job) return;
  const { files } = useDerived.getState();
  const from = files[job.source]?.facts.skeleton;
  const to = files[job.target]?.facts.skeleton;
  if (!from || !to) return;
  const driven = jointLabel(to, target);
  const driver = source === null ? null : jointLabel(from, source);
  const change: MapChange =
    driver === null ? { target: driven, none: true } : { target: driven, sources: [driver] };
  const label = driver === null ? `Unmap ${driven}` : `Map ${driven} to ${driver}`;
  changeDocument(label, (now) => {
    const before = effectiveRecipe(now, job.target).map?.changes ?? [];
    return changeOwn(now, job.target, (recipe) => withMapChange(recipe, before, change));
  });
}

/** Goes back to the map that is found by itself. */
export function resetMap(): void {
  const target = activeTarget(currentDocument());
  if (!target) return;
  changeDocument('Reset the map', (document) =>
    changeOwn(document, target.sha256, ({ map: _, ...recipe }) => recipe),
  );
  setView({ mapping: null });
}

/** Gets the files of a document that are kept in the browser. @returns what is not. */
export async function fetchKept(refs: readonly FileRef[]): Promise<FileRef[]> {
  const missing: FileRef[] = [];
  for (const ref of refs) {
    if (useDerived.getState().files[ref.sha256]) continue;
    const kept = await keptFile(hashOfId(ref.sha256));
    if (!kept) {
      missing.push(ref);
      continue;
    }
    await holdFile(kept, {}, skeletonOfId(ref.sha256)).catch(() => missing.push(ref));
  }
  return missing;
}

/** The sample that is there on arrival: a motion on a character. */
export async function sampleDocument(): Promise<StudioDocument> {
  const [source, target] = await Promise.all([
    holdSample('motions/walk.glb'),
    holdSample('characters/vrm-girl.vrm'),
  ]);
  return { version: 1, source, targets: [target], active: 0, shared: { version: 1 }, own: {} };
}

/** Puts the work aside for the sample of the arrival; a step back brings it again. */
export function beginAnew(): Promise<void> {
  return whileOpening(async () => {
    const sample = await sampleDocument();
    useDerived.setState({ missing: [] });
    changeDocument('Begin anew', () => sample);
    setView({ clip: null, selection: null, mapping: null });
  });
}

/**
 * Opens a document: files that are kept in the browser come silently; each that is not becomes a row that asks for it
 * by name and size.
 * @param label The step that it is; without one nothing was there before.
 */
export async function openDocument(
  document: StudioDocument,
  refs: readonly FileRef[],
  label?: string,
): Promise<void> {
  const missing = await fetchKept(refs);
  const opened: StudioDocument = { ...document, version: 1 };
  if (label === undefined) replaceDocument(opened);
  else {
    changeDocument(label, () => opened);
    setView({ clip: null, selection: null, mapping: null });
  }
  useDerived.setState({
    missing: missing.map(({ name, size, sha256 }) => ({
      name,
      size,
      sha256,
      role: document.source?.sha256 === sha256 ? 'source' : 'target',
    })),
  });
}

let wasPlaying = false;

/** Chooses a tab. The reference pose pauses the motion; leaving it goes on with what played before. */
export function chooseTab(tab: ReturnType<typeof useView.getState>['tab']): void {
  const before = useView.getState().tab;
  setView({ tab, mapping: null, panelOpen: true });
  if (tab === before) return;
  if (tab === 'pose') {
    wasPlaying = clock.playing();
    clock.play(false);
  } else if (before === 'pose' && wasPlaying) clock.play(true);
}

/**
 * Takes the files that the command line gave: a server of ours lists them beside the page.
 * @returns whether there were any.
 */
export async function takeServed(): Promise<boolean> {
  const list = document.querySelector<HTMLMetaElement>('meta[name="stuntdouble-files"]')?.content;
  if (!list) return false;
  const entries = JSON.parse(list) as { name: string; url: string }[];
  const files = await Promise.all(
    entries.map(async ({ name, url }) => new File([await (await fetch(url)).blob()], name)),
  );
  if (files.length === 0) return false;
  await takeFiles(files, null, true);
  return currentDocument().source !== null || currentDocument().targets.length > 0;
}
