import type { ArmatureDocument, Plain, Recipe } from '@stuntdouble/core/engine';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement } from 'react';
import { changeOwn, changeShared } from '../../document/document.js';
import { theEngine } from '../../state/actions.js';
import { say } from '../../state/derived-store.js';
import { changeDocument } from '../../state/document-store.js';
import type { Work } from '../../state/use-work.js';
import type { SideName } from '../../state/view-store.js';
import { askForFile, saveFile } from '../open-files.js';

const WHOSE = { source: "the source's chains", target: "the character's chains" } as const;

/** The chains that cover both bodies: saved, edited elsewhere and loaded, or found anew. */
export function ChainsMenu({ work, children }: { work: Work; children: ReactElement }) {
  const { job } = work;
  if (!job) return null;
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="popup" align="start" sideOffset={4}>
          {(['target', 'source'] as const).map((side) => (
            <DropdownMenu.Group key={side}>
              <Item title={`Save ${WHOSE[side]}`} run={() => saveChains(work, side)} />
              <Item title={`Load ${WHOSE[side]} …`} run={() => loadChains(work, side)} />
              {job.recipe[side]?.armature !== undefined && (
                <Item title={`Find ${WHOSE[side]} anew`} run={() => tellChains(work, side, undefined)} />
              )}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ title, run }: { title: string; run: () => void }) {
  return (
    <DropdownMenu.Item className="popup-item" onSelect={run}>
      {title}
    </DropdownMenu.Item>
  );
}

async function saveChains({ job, source, target }: Work, side: SideName): Promise<void> {
  const file = side === 'source' ? source : target;
  if (!job || !file) return;
  try {
    const { armature } = await theEngine().quick.ask({ type: 'armature', job, side });
    saveFile(
      `${file.name.replace(/\.[^.]*$/, '')}-chains.json`,
      JSON.stringify(armature, null, 2),
      'application/json',
    );
  } catch (error) {
    say('error', error instanceof Error ? error.message : String(error));
  }
}

function loadChains(work: Work, side: SideName): void {
  askForFile('.json', async (file) => {
    try {
      const { recipe } = await theEngine().quick.ask({
        type: 'readRecipe',
        json: { version: 1, [side]: { armature: JSON.parse(await file.text()) } },
      });
      const armature = recipe[side]?.armature;
      const job = work.job && { ...work.job, recipe: withChains(work.job.recipe, side, armature) };
      // Chains that do not fit the body are refused before they are part of the work.
      if (job) await theEngine().quick.ask({ type: 'armature', job, side });
      tellChains(work, side, armature);
    } catch (error) {
      say('error', `${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

function withChains(recipe: Recipe, side: SideName, armature: Plain | ArmatureDocument | undefined): Recipe {
  const { [side]: told, ...rest } = recipe;
  const { armature: _, ...others } = told ?? {};
  const next = armature === undefined ? others : { ...others, armature: armature as Plain };
  return Object.keys(next).length > 0 ? { ...rest, [side]: next } : rest;
}

function tellChains({ target }: Work, side: SideName, armature: Plain | undefined): void {
  const change = (recipe: Recipe) => withChains(recipe, side, armature);
  changeDocument(armature === undefined ? `Find ${WHOSE[side]} anew` : `Load ${WHOSE[side]}`, (document) =>
    side === 'source' || !target
      ? changeShared(document, change)
      : changeOwn(document, target.sha256, change),
  );
}
