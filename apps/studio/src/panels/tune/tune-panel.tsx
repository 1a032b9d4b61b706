import type { Plain } from '@stuntdouble/core/engine';
import { ChevronRight, Search } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { NumberField, Segmented, Select, SettingRow, SliderField, Switch } from '../../controls/controls.js';
import { activeTarget, changeOwn, changeShared, settingOf } from '../../document/document.js';
import { tellSetting } from '../../state/actions.js';
import { changeDocument } from '../../state/document-store.js';
import type { Work } from '../../state/use-work.js';
import { setView, useView } from '../../state/view-store.js';
import { cardOf } from '../report/report-card.js';
import { MeasureRows } from '../report/report-panel.js';
import { CHAINS, GROUPS, type Group, groupSwitch, limbOptions, OPTIONS, type Option } from './options.js';
import { PRESETS } from './presets.js';

/** Every pass and option, grouped as they run; per chain where a chain is chosen. */
export function TunePanel({ work }: { work: Work }) {
  const chain = useView((state) => state.chain);
  const search = useView((state) => state.search);
  const [open, setOpen] = useState<Record<string, boolean>>({ goals: true });
  const { job, document } = work;
  const several = document.targets.length > 1;
  const [own, setOwn] = useState(false);
  if (!job) return <p className="quiet">Drop a motion and a character first.</p>;
  const options = chain === 'all' ? OPTIONS : limbOptions(chain);
  const words = search.trim().toLowerCase();
  const matches = ({ title, summary, name }: Option) =>
    words === '' || [title, summary, name].some((text) => text.toLowerCase().includes(words));
  const context: Context = { work, own: several && own };
  return (
    <>
      <Segmented
        label="What settings are about"
        value={chain as 'all'}
        options={CHAINS}
        onChange={(next) => setView({ chain: next })}
      />
      <div style={{ display: 'flex', gap: 8, margin: '8px 0 4px' }}>
        <label className="field-search" style={{ flex: 1 }}>
          <Search size={15} aria-hidden />
          <input
            type="search"
            id="tune-search"
            placeholder="Search settings"
            aria-label="Search settings"
            value={search}
            onChange={(event) => setView({ search: event.target.value })}
          />
        </label>
        <PresetMenu />
      </div>
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
      {GROUPS.map((group) => {
        const shown = options.filter((option) => option.pass === group.name && matches(option));
        if (shown.length === 0) return null;
        const isOpen = words !== '' || (open[group.name] ?? false) || chain !== 'all';
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
      {work.judged && (
        <MeasureRows
          now={cardOf(work.judged.measures)}
          before={work.before && cardOf(work.before.measures)}
        />
      )}
    </>
  );
}

type Context = { work: Work; own: boolean };

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
  options: readonly Option[];
  isOpen: boolean;
  onOpen: () => void;
  context: Context;
}) {
  const recipe = context.work.job!.recipe;
  const toggle = groupSwitch(group.name, recipe);
  const changed = options.filter(({ name }) => settingOf(recipe, name) !== undefined).length;
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
      {isOpen && options.map((option) => <OptionRow key={option.name} option={option} context={context} />)}
    </section>
  );
}

/** What a group does just now, in a few words. */
function statusOf({ name }: Group, { understanding, job }: Work): string {
  const recipe = job!.recipe;
  switch (name) {
    case 'copy':
      return understanding ? `${understanding.map.joints.length} joints` : '';
    case 'root': {
      const scales = understanding?.rootScales;
      return scales ? `× ${scales.horizontal.toFixed(2)} across, × ${scales.vertical.toFixed(2)} up` : '';
    }
    case 'limits':
      return 'none';
    case 'goals':
      return settingOf(recipe, 'corrections') === 'none' ? 'as copied' : 'corrected';
    case 'ground':
      return settingOf(recipe, 'ground') === undefined ? 'as it comes' : 'matched';
    case 'look':
      return settingOf(recipe, 'lookAt') === undefined ? 'as copied' : 'at a point';
    case 'motion':
      return 'stays on the hips';
    default:
      return 'as it is';
  }
}

function OptionRow({ option, context }: { option: Option; context: Context }) {
  const { work, own } = context;
  const told = settingOf(work.job!.recipe, option.name);
  const value = told ?? measuredDefault(option, work);
  const tell = (next: Plain | undefined, gesture: string | null = null) =>
    tellSetting(option.name, isDefault(option, next) ? undefined : next, {
      label: `${option.title} ${typeof next === 'number' ? next.toFixed(2) : String(next)}`,
      gesture,
      own,
    });
  return (
    <SettingRow
      title={option.title}
      summary={option.summary}
      changed={told !== undefined}
      onReset={() => tellSetting(option.name, undefined, { label: `Reset ${option.title}`, own })}
    >
      {option.kind === 'number' && (
        <SliderField
          label={option.title}
          value={typeof value === 'number' ? value : 0}
          min={option.bounds[0]}
          max={option.bounds[1]}
          step={option.step}
          unit={option.unit ?? ''}
          digits={option.digits ?? 2}
          onChange={(next, gesture) => tell(next, gesture)}
        />
      )}
      {option.kind === 'switch' && (
        <Switch
          label={option.title}
          checked={value === true || (typeof value === 'object' && value !== null)}
          onChange={(on) => tell(on ? (option.on ?? true) : false)}
        />
      )}
      {option.kind === 'choice' &&
        (option.choices.length <= 2 ? (
          <Segmented
            label={option.title}
            value={String(value)}
            options={option.choices}
            onChange={(next) => tell(next)}
          />
        ) : (
          <Select
            label={option.title}
            value={typeof value === 'string' ? value : String(option.default)}
            options={option.choices}
            onChange={(next) => tell(next)}
          />
        ))}
      {option.kind === 'joint' && (
        <Select
          label={option.title}
          value={typeof value === 'string' && value !== '' ? value : AUTO}
          options={[
            { value: AUTO, title: 'Auto' },
            ...(work.targetFacts?.skeleton?.names ?? []).map((name) => ({ value: name, title: name })),
          ].filter(
            ({ value: one }, n, all) => one !== '' && all.findIndex((other) => other.value === one) === n,
          )}
          onChange={(next) => tell(next === AUTO ? undefined : next)}
        />
      )}
      {option.kind === 'numbers' &&
        option.labels.map((label, n) => {
          const shown = numbersOf(option, value, work);
          return (
            <NumberField
              key={label}
              label={`${option.title} ${label}`}
              value={shown[n] ?? null}
              digits={2}
              {...(option.unit && { unit: option.unit })}
              onChange={(next) => tell(shown.map((one, k) => (k === n ? next : one)))}
            />
          );
        })}
    </SettingRow>
  );
}

/** What a list of joints has for leaving it to the engine. */
const AUTO = '(auto)';

/** The numbers of an option that has several: as told, else its default; a part is the whole clip. */
function numbersOf(option: Option, value: Plain, { sourceFacts, clip }: Work): number[] {
  if (Array.isArray(value) && value.length > 0) return value.map(Number);
  if (option.name !== 'range') return [];
  return [0, sourceFacts?.clips.find(({ name }) => name === clip)?.duration ?? 0];
}

function isDefault(option: Option, value: Plain | undefined): boolean {
  if (value === undefined) return true;
  // What is measured by itself has no number to go back to: it is told until it is reset.
  return !/^(rootScales|frameRate)/.test(option.name) && value === option.default;
}

function measuredDefault(option: Option, { understanding }: Work): Plain {
  if (option.name === 'rootScales.horizontal') return understanding?.rootScales.horizontal ?? option.default;
  if (option.name === 'rootScales.vertical') return understanding?.rootScales.vertical ?? option.default;
  return option.default;
}
