import type { Recipe } from '@stuntdouble/core';
import { SettingRow, Switch } from '../../controls/controls.js';
import { changeOwn, changeShared } from '../../document/document.js';
import { changeDocument } from '../../state/document-store.js';
import type { Work } from '../../state/use-work.js';
import { inWords } from '../in-words.js';

/** The steps that every frame goes through, each with a switch; one that has nothing to do for these two says so. */
export function PassSteps({ work, onlyChanged, own }: { work: Work; onlyChanged: boolean; own: boolean }) {
  const { understanding, job } = work;
  const steps = understanding?.passes ?? [];
  const told = job?.recipe.passes;
  if (steps.length === 0 || (onlyChanged && !told)) return null;
  const runs = (name: string) => !told || (told as readonly string[]).includes(name);
  const put = (name: string, on: boolean) => {
    const next = steps.map((step) => step.name).filter((step) => (step === name ? on : runs(step)));
    const change = ({ passes: _, ...recipe }: Recipe): Recipe =>
      next.length === steps.length ? recipe : { ...recipe, passes: next as NonNullable<Recipe['passes']> };
    changeDocument(`${on ? 'Run' : 'Leave out'} ${inWords(name).toLowerCase()}`, (document) =>
      own ? changeOwn(document, job!.target, change) : changeShared(document, change),
    );
  };
  return (
    <details className="group steps" open={!!told}>
      <summary>Steps of the pipeline</summary>
      {steps.map(({ name, does }, n) => (
        <SettingRow
          key={name}
          title={`${n + 1}. ${inWords(name)}`}
          summary={does ? 'Runs on every frame' : 'Has nothing to do with these two characters and settings'}
          changed={!runs(name)}
          onReset={() => put(name, true)}
        >
          {!does && runs(name) && <span className="quiet">idle</span>}
          <Switch label={`Step ${inWords(name)}`} checked={runs(name)} onChange={(on) => put(name, on)} />
        </SettingRow>
      ))}
    </details>
  );
}
