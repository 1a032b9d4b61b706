import { ChevronRight, Ellipsis, ListFilter, Search } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { IconButton, Segmented, SettingRow, Switch } from '../../controls/controls.js';
import { activeTarget, changeOwn, changeShared, settingOf } from '../../document/document.js';
import { tellSetting } from '../../state/actions.js';
import { changeDocument } from '../../state/document-store.js';
import type { Work } from '../../state/use-work.js';
import { setView, useView } from '../../state/view-store.js';
import { inWords, scalesInWords } from '../in-words.js';
import { ControlRow } from './control-row.js';
import { AddEdits, EditEditor } from './edit-editor.js';
import {
  CONTROLS,
  type Control,
  changedLimbControls,
  controlValue,
  FIRST_LIMBS,
  GROUPS,
  type Group,
  groupSwitch,
  isOfUse,
  LIMB_CHOICES,
  limbControls,
} from './options.js';
import { PassSteps } from './pass-steps.js';
import { PRESETS } from './presets.js';

/** Every pass and option, grouped as they run; per chain where a chain is chosen. */
export function TunePanel({ work }: { work: Work }) {
  const chain = useView((state) => state.chain);
  const search = useView((state) => state.search);
  const onlyChanged = useView((state) => state.onlyChanged);
  const [open, setOpen] = useState<Record<string, boolean>>({ corrections: true });
  const { job, document } = work;
  const several = document.targets.length > 1;
  const [own, setOwn] = useState(false);
  if (!job) return <p className="quiet">Drop a motion and a character first.</p>;
  const limbs = [
    'all',
    ...(FIRST_LIMBS.some((limb) => limb === chain) || chain === 'all' ? FIRST_LIMBS : [chain]),
  ];
  const options = chain === 'all' ? [...CONTROLS, ...changedLimbControls(job.recipe)] : limbControls(chain);
  const words = search.trim().toLowerCase();
  const matches = (control: Control) =>
    (words === '' ||
      [control.title, control.summary, control.path.join('.')].some((text) =>
        text.toLowerCase().includes(words),
      )) &&
    (words !== '' || isOfUse(job.recipe, control)) &&
    (!onlyChanged || controlValue(job.recipe, control) !== undefined);
  const context: Context = { work, own: several && own };
  return (
    <>
      <Segmented
        label="What settings are about"
        value={chain}
        options={limbs.map((value) => ({ value, title: inWords(value) }))}
        onChange={(next) => setView({ chain: next })}
      />
      <div style={{ display: 'flex', gap: 8, margin: '8px 0 4px' }}>
        <label className="field-search" style={{ flex: 1 }}>
          <Search size={15} aria-hidden />
          <input
            type="search"
            id="tune-search"
            placeholder="Search"
            aria-label="Search settings"
            value={search}
            onChange={(event) => setView({ search: event.target.value })}
          />
        </label>
        <IconButton
          label="Only what differs"
          pressed={onlyChanged}
          onClick={() => setView({ onlyChanged: !onlyChanged })}
        >
          <ListFilter size={15} />
        </IconButton>
        <LimbMenu />
        <PresetMenu />
      </div>
      {onlyChanged && !options.some(matches) && <p className="quiet">Nothing differs from the defaults.</p>}
      {several && (
        <SettingRow title="Only this one" summary="Settings change for this character alone, not for all">
          <Switch label="Settings of this character alone" checked={own} onChange={setOwn} />
        </SettingRow>
      )}
      {several && document.own[job.target]?.settings && (
        <p style={{ margin: '4px 0 6px' }}>
          <span className="quiet">This character differs. </span>
          <button type="button" className="link-button" onClick={applyToAll}>
            Apply to all
          </button>
        </p>
      )}
      <EditEditor work={work} />
      {GROUPS.map((group) => {
        const shown = options.filter((option) => option.group === group.name && matches(option));
        if (shown.length === 0) return null;
        const isOpen = words !== '' || onlyChanged || (open[group.name] ?? false) || chain !== 'all';
        return (
          <PassSection
            key={group.name}
            group={group}
            options={shown}
            isOpen={isOpen}
            onOpen={() => setOpen({ ...open, [group.name]: !isOpen })}
            context={context}
          />
        );
      })}
      {words === '' && !onlyChanged && <AddEdits />}
      {chain === 'all' && words === '' && (
        <PassSteps work={work} onlyChanged={onlyChanged} own={context.own} />
      )}
    </>
  );
}

type Context = { work: Work; own: boolean };

/** Limbs beside arms and legs that have settings of their own. */
function LimbMenu() {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="button square" aria-label="Another limb" title="Another limb">
          <Ellipsis size={15} aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="popup" align="end" sideOffset={4}>
          {LIMB_CHOICES.map((limb) => (
            <DropdownMenu.Item key={limb} className="popup-item" onSelect={() => setView({ chain: limb })}>
              {inWords(limb)}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** What holds for one character holds for all. */
function applyToAll(): void {
  changeDocument('Apply to all characters', (document) => {
    const target = activeTarget(document);
    const settings = target && document.own[target.sha256]?.settings;
    if (!target || !settings) return document;
    const shared = changeShared(document, (recipe) => ({
      ...recipe,
      settings: { ...recipe.settings, ...settings },
    }));
    return changeOwn(shared, target.sha256, ({ settings: _, ...recipe }) => recipe);
  });
}

function PresetMenu() {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="button">
          Presets
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="popup" align="end" sideOffset={4} style={{ width: 270 }}>
          {PRESETS.map(({ name, summary, settings }) => (
            <DropdownMenu.Item
              key={name}
              className="popup-item"
              style={{ display: 'block', padding: '5px 9px' }}
              onSelect={() =>
                changeDocument(`Preset ${name}`, (document) =>
                  changeShared(document, ({ settings: before, ...recipe }) => {
                    const contacts = before?.contacts;
                    const next = { ...settings, ...(contacts !== undefined && { contacts }) };
                    return Object.keys(next).length > 0 ? { ...recipe, settings: next } : recipe;
                  }),
                )
              }
            >
              <div style={{ fontWeight: 550 }}>{name}</div>
              <div className="quiet" style={{ fontSize: 12 }}>
                {summary}
              </div>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function PassSection({
  group,
  options,
  isOpen,
  onOpen,
  context,
}: {
  group: Group;
  options: readonly Control[];
  isOpen: boolean;
  onOpen: () => void;
  context: Context;
}) {
  const recipe = context.work.job!.recipe;
  const toggle = groupSwitch(group.name, recipe);
  const changed = options.filter((control) => controlValue(recipe, control) !== undefined).length;
  return (
    <section className={`group ${isOpen ? 'pass-open' : ''}`} aria-label={group.title}>
      <div className="pass-head">
        <button type="button" aria-expanded={isOpen} onClick={onOpen} title={group.summary}>
          <ChevronRight size={15} aria-hidden />
          <span className="clip">{group.title}</span>
          <span className="value clip">
            {changed > 0 ? `${changed} changed` : statusOf(group, context.work)}
          </span>
        </button>
        {toggle ? (
          <Switch
            label={group.title}
            checked={toggle.on}
            onChange={(on) =>
              tellSetting(toggle.name, toggle.value(on), {
                label: `${on ? 'Switch on' : 'Switch off'} ${group.title.toLowerCase()}`,
                own: context.own,
              })
            }
          />
        ) : (
          <span style={{ width: 27 }} />
        )}
      </div>
      {isOpen &&
        options.map((control) => (
          <ControlRow key={control.path.join('.')} control={control} work={context.work} own={context.own} />
        ))}
    </section>
  );
}

/** What a group does just now, in a few words. */
function statusOf({ name }: Group, { understanding, job }: Work): string {
  const recipe = job!.recipe;
  const isTold = settingOf(recipe, name) !== undefined;
  switch (name) {
    case 'turns':
      return understanding ? `${understanding.map.joints.length} joints` : '';
    case 'root': {
      const scales = understanding?.rootScales;
      return scales ? scalesInWords(scales) : '';
    }
    case 'corrections':
      return settingOf(recipe, 'corrections') === 'none' ? 'as copied' : 'corrected';
    case 'ground':
      return isTold ? 'matched' : 'as it comes';
    case 'lookAt':
      return isTold ? 'at a point' : 'as copied';
    case 'spacing':
      return isTold ? 'spread' : 'as copied';
    case 'edits': {
      const count = recipe.constraints?.length ?? 0;
      return count > 0 ? `${count} on the timeline` : 'none';
    }
    case 'choice':
      return 'as found';
    default:
      return 'as it is';
  }
}
