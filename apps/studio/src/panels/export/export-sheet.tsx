import type { Recipe } from '@stuntdouble/core';
import { FILE_KINDS, type FileKindName, WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Segmented, SettingRow, Switch } from '../../controls/controls.js';
import {
  babylonProgram,
  commandLine,
  isPlainRecipe,
  playgroundProgram,
  type SnippetInput,
  threeProgram,
} from '../../snippets/snippets.js';
import { theEngine } from '../../state/actions.js';
import { say, tell, useDerived } from '../../state/derived-store.js';
import { useWork } from '../../state/use-work.js';
import { setView } from '../../state/view-store.js';
import { saveFile } from '../open-files.js';
import { Sheet } from '../sheet.js';

const plain = (name: string) => name.replace(/\.[^.]*$/, '');

/** Formats that a character can be written to: its own first. */
function formatsFor(format: string | undefined): FileKindName[] {
  const own = WRITTEN_EXTENSIONS.filter((name) => name === format);
  const others = WRITTEN_EXTENSIONS.filter(
    (name) => name !== format && FILE_KINDS[name].written === 'from any',
  );
  return [...own, ...others];
}

const SNIPPETS = [
  { value: 'command', title: 'Command line' },
  { value: 'three', title: 'three.js' },
  { value: 'babylon', title: 'Babylon.js' },
  { value: 'playground', title: 'Playground' },
  { value: 'recipe', title: 'Recipe' },
] as const;

/** Everything to take home, in one sheet. */
export function ExportSheet() {
  const { job, source, target, targetFacts, sourceFacts, clip, solved, understanding, failure } = useWork();
  const formats = formatsFor(targetFacts?.format);
  const [format, setFormat] = useState<FileKindName>(formats[0] ?? 'glb');
  const [which, setWhich] = useState<'one' | 'all'>('one');
  const [meshes, setMeshes] = useState(true);
  const [replace, setReplace] = useState(false);
  const [newBind, setNewBind] = useState(false);
  /** What was written last, by all that was asked of it. */
  const [written, setWritten] = useState<{ asked: string; size: number } | null>(null);
  const [tab, setTab] = useState<(typeof SNIPPETS)[number]['value']>('command');
  const [recipe, setRecipe] = useState<Recipe>({ version: 1 });
  const exporting = useDerived((state) => state.exporting);
  useEffect(() => {
    if (!job) return;
    theEngine()
      .quick.ask({ type: 'recipe', job })
      .then(({ recipe: full }) => setRecipe(full as Recipe))
      .catch(() => {});
  }, [job]);
  const close = () => setView({ sheet: null });
  const nothing =
    !source || !target
      ? 'Drop a motion and a character first.'
      : !clip
        ? 'The source has no motion: drop a file with clips.'
        : understanding?.failure || failure
          ? 'There is no result yet: pair some joints in Map first.'
          : null;
  if (nothing !== null || !job || !source || !target || !sourceFacts || !clip)
    return (
      <Sheet title="Export" onClose={close}>
        <div className="sheet-body">
          <p>{nothing ?? 'The files are being read.'}</p>
        </div>
      </Sheet>
    );
  const all = sourceFacts.clips.map(({ name }) => name);
  const clips = which === 'all' ? all : [clip];
  const output = `${plain(target.name)}-${which === 'all' ? plain(source.name) : clip.replaceAll(/[^\w.-]+/g, '-')}.${format}`;
  const hasMeshes = FILE_KINDS[format].meshes;
  const canRebind = meshes && FILE_KINDS[format].rebinds === true;
  const input: SnippetInput = {
    source: source.name,
    target: target.name,
    output,
    clips: which === 'all' || all.length === 1 ? null : clips,
    recipe,
    meshes,
    replace,
    newBind: newBind && canRebind,
  };
  const text = {
    command: () => commandLine(input),
    three: () => threeProgram(input),
    babylon: () => babylonProgram(input),
    playground: () => playgroundProgram(input),
    recipe: () => JSON.stringify(recipe, null, 2),
  }[tab]();
  const asked = [output, meshes, replace, newBind].join(' ');
  const run = async () => {
    useDerived.setState({ exporting: { part: 0, words: 'Solving' } });
    try {
      const { bytes, warnings } = await theEngine().whole.ask(
        {
          type: 'export',
          job,
          clips,
          extension: format,
          meshes: meshes && hasMeshes,
          replace,
          newBind: newBind && canRebind,
        },
        (part, words) => useDerived.setState({ exporting: { part, words } }),
      );
      tell(warnings);
      saveFile(output, bytes as BlobPart);
      setWritten({ asked, size: bytes.length });
      say('note', `${output} is written, ${sizeWords(bytes.length)}.`);
    } catch (error) {
      say('error', error instanceof Error ? error.message : String(error));
      setView({ bottom: 'console' });
    } finally {
      useDerived.setState({ exporting: null });
    }
  };
  return (
    <Sheet title="Export" onClose={close}>
      <div className="sheet-body">
        <SettingRow title="Format">
          <Segmented
            label="Format"
            value={format}
            options={formats.map((value) => ({ value, title: value.toUpperCase() }))}
            onChange={setFormat}
          />
        </SettingRow>
        {all.length > 1 && (
          <SettingRow title="Clips">
            <Segmented
              label="Clips"
              value={which}
              options={[
                { value: 'one' as const, title: clip },
                { value: 'all' as const, title: `All ${all.length}` },
              ]}
              onChange={setWhich}
            />
          </SettingRow>
        )}
        <SettingRow title="With the body" summary="Off gives the skeleton and its clips alone" isTold>
          <Switch
            label="With the body"
            checked={meshes && hasMeshes}
            disabled={!hasMeshes}
            onChange={setMeshes}
          />
        </SettingRow>
        <SettingRow title="Drop old clips" summary="Clips that the character has already are left out" isTold>
          <Switch label="Drop clips that the character has already" checked={replace} onChange={setReplace} />
        </SettingRow>
        <SettingRow
          title="Bind the mesh anew"
          summary="For engines that play the source's own turns on this body; nothing is corrected then"
          isTold
        >
          <Switch
            label="Bind the mesh anew"
            checked={newBind && canRebind}
            disabled={!canRebind}
            onChange={setNewBind}
          />
        </SettingRow>
        <div className="section-head">
          <span>The same, elsewhere</span>
        </div>
        <Segmented label="The same, elsewhere" value={tab} options={SNIPPETS} onChange={setTab} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <code className="code mono" tabIndex={0} style={{ marginTop: 8 }} data-snippet={tab}>
          {text}
        </code>
        <div style={{ display: 'flex', gap: 8, marginTop: 8, alignItems: 'center' }}>
          <button type="button" className="button" onClick={() => navigator.clipboard?.writeText(text)}>
            <Copy size={14} aria-hidden />
            Copy
          </button>
          {(tab === 'recipe' || (tab === 'command' && !isPlainRecipe(recipe))) && (
            <button
              type="button"
              className="button"
              onClick={() => saveFile('recipe.json', JSON.stringify(recipe, null, 2), 'application/json')}
            >
              <Download size={14} aria-hidden />
              Save recipe.json
            </button>
          )}
          <span className="faint" style={{ fontSize: 12 }}>
            {isPlainRecipe(recipe) ? 'Nothing was changed: no recipe is needed.' : ''}
          </span>
        </div>
      </div>
      <div className="sheet-foot">
        {exporting ? (
          <>
            <span className="quiet">{exporting.words}</span>
            <div
              className="bar"
              role="progressbar"
              aria-label="Export"
              aria-valuenow={Math.round(100 * exporting.part)}
            >
              <i style={{ width: `${100 * exporting.part}%` }} />
            </div>
          </>
        ) : (
          <span className="quiet clip" role="status" style={{ flex: 1 }}>
            {written?.asked === asked && <Check size={14} className="good inline" aria-hidden />}{' '}
            <span className="mono">{output}</span>
            {written?.asked === asked && ` is written, ${sizeWords(written.size)}`}
            {written?.asked !== asked &&
              solved &&
              ` · about ${sizeWords(estimate(target.size, meshes && hasMeshes, solved.clip.tracks, clips.length))}`}
          </span>
        )}
        <button type="button" className="button primary" disabled={exporting !== null} onClick={run}>
          <Download size={15} aria-hidden />
          Save {format.toUpperCase()}
        </button>
      </div>
    </Sheet>
  );
}

function estimate(
  size: number,
  meshes: boolean,
  tracks: readonly { times: { length: number }; values: { length: number } }[],
  clips: number,
): number {
  const keys = tracks.reduce((sum, { times, values }) => sum + 4 * (times.length + values.length), 0);
  return (meshes ? size : 20_000) + clips * keys;
}

function sizeWords(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
