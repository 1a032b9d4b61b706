import type { Plain } from '@stuntdouble/core/engine';
import { useEffect, useState } from 'react';
import { Segmented, SettingRow, Switch } from '../../controls/controls.js';
import { NumberField, SliderField } from '../../controls/number-fields.js';
import { Select } from '../../controls/select.js';
import { tellSetting } from '../../state/actions.js';
import type { Work } from '../../state/use-work.js';
import { type Control, controlValue, defaultValue, settingWith } from './options.js';

/** What a list has for leaving the choice to the engine. */
const AUTO = '(auto)';

/** Longer words than these for a default are not shown in a control. */
const SHORT = 18;

/** One option, or a part of one, with its control: made from core's list alone. */
export function ControlRow({ control, work, own }: { control: Control; work: Work; own: boolean }) {
  const { recipe } = work.job!;
  const told = controlValue(recipe, control);
  const tell = (next: Plain | undefined, gesture: string | null = null) => {
    const { name, value } = settingWith(
      recipe,
      control,
      JSON.stringify(next) === JSON.stringify(resetOf(control)) ? undefined : next,
    );
    tellSetting(name, value, { label: labelOf(control, next), gesture, own });
  };
  const { title, summary, default: otherwise } = control;
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return (
    <SettingRow
      title={title}
      summary={otherwise ? `${sentence} Usually: ${otherwise}.` : sentence}
      changed={told !== undefined}
      onReset={() => tell(undefined)}
    >
      <ControlOf control={control} told={told} work={work} tell={tell} />
    </SettingRow>
  );
}

/**
 * The value that a control goes back to, where telling it is the same as telling nothing: a part of what is off by
 * itself (the reach of a limb) means something whatever it is.
 */
function resetOf(control: Control): Plain | undefined {
  return control.path[0] === 'limbScalings' || control.kind === 'numbers' ? undefined : defaultValue(control);
}

function labelOf({ title }: Control, next: Plain | undefined): string {
  if (next === undefined) return `Reset ${title}`;
  const words = typeof next === 'number' ? next.toFixed(2) : typeof next === 'object' ? '' : String(next);
  return `${title} ${words}`.trim();
}

type Tell = (next: Plain | undefined, gesture?: string | null) => void;

function ControlOf({
  control,
  told,
  work,
  tell,
}: {
  control: Control;
  told: Plain | undefined;
  work: Work;
  tell: Tell;
}) {
  const { title } = control;
  const value = told ?? defaultValue(control);
  const rest = { value: AUTO, title: control.default.length <= SHORT ? control.default : 'as usual' };
  switch (control.kind) {
    case 'number': {
      if (Array.isArray(told)) return <span className="quiet clip">{told.length} keys over time</span>;
      const number = typeof value === 'number' ? value : measured(control, work);
      const placeholder = control.default.length <= SHORT ? control.default : 'auto';
      const bounds = {
        ...(control.least !== undefined && { min: control.least }),
        ...(control.most !== undefined && { max: control.most }),
      };
      return control.hasSlider ? (
        <SliderField
          label={title}
          value={number}
          min={control.least!}
          max={control.most!}
          step={control.most! > 2 ? 1 : 0.01}
          unit={control.unit ?? ''}
          digits={digitsFor(number, control.digits)}
          placeholder={placeholder}
          onChange={tell}
        />
      ) : (
        <NumberField
          label={`${title}, typed`}
          value={number}
          digits={digitsFor(number, control.digits)}
          unit={control.unit ?? ''}
          placeholder={placeholder}
          {...bounds}
          onChange={(next) => tell(next)}
        />
      );
    }
    case 'switch':
      return (
        <Switch
          label={title}
          checked={value === true || (typeof value === 'object' && value !== null)}
          onChange={(on) => tell(on ? (control.on ?? true) : false)}
        />
      );
    case 'choice':
      return control.choices.length <= 2 && typeof value === 'string' ? (
        <Segmented label={title} value={value} options={control.choices} onChange={(next) => tell(next)} />
      ) : (
        <Select
          label={title}
          value={typeof value === 'string' ? value : AUTO}
          options={defaultValue(control) === undefined ? [rest, ...control.choices] : control.choices}
          onChange={(next) => tell(next === AUTO ? undefined : next)}
        />
      );
    case 'joint':
      return (
        <Select
          label={title}
          value={typeof value === 'string' && value !== '' ? value : AUTO}
          options={[
            rest,
            ...(work.targetFacts?.skeleton?.names ?? []).map((name) => ({ value: name, title: name })),
          ].filter(
            ({ value: one }, n, all) => one !== '' && all.findIndex((other) => other.value === one) === n,
          )}
          onChange={(next) => tell(next === AUTO ? undefined : next)}
        />
      );
    case 'unit':
      return (
        <>
          <Select
            label={title}
            value={typeof value === 'string' ? value : AUTO}
            options={[rest, ...control.choices]}
            onChange={(next) => tell(next === AUTO ? undefined : next)}
          />
          <NumberField
            label={`${title}, metres`}
            value={typeof value === 'number' ? value : null}
            digits={4}
            placeholder="metres"
            onChange={(next) => next > 0 && tell(next)}
          />
        </>
      );
    case 'numbers': {
      const shown = numbersOf(control, value, work);
      return control.labels.map((label, n) => (
        <NumberField
          key={label}
          label={`${title} ${label}`}
          value={shown[n] ?? null}
          digits={control.unit === '°' ? 0 : 2}
          placeholder={label}
          {...(control.unit && { unit: control.unit })}
          onChange={(next) => tell(control.labels.map((_, k) => (k === n ? next : (shown[k] ?? 0))))}
        />
      ));
    }
    case 'json':
      return <JsonField label={title} says={control.says} value={told} onChange={tell} />;
  }
}

/** As many decimals as a number needs to be seen at all. */
function digitsFor(number: number | null, digits: number): number {
  if (number === null || number === 0 || Math.abs(number) >= 10 ** -digits) return digits;
  return Math.min(9, Math.ceil(-Math.log10(Math.abs(number))));
}

/** The numbers of an option that has several: as told, else its default; a part is the whole clip. */
function numbersOf(control: Control, value: Plain | undefined, { sourceFacts, clip }: Work): number[] {
  if (Array.isArray(value) && value.length > 0) return value.map(Number);
  if (control.path[0] !== 'range') return [];
  return [0, sourceFacts?.clips.find(({ name }) => name === clip)?.duration ?? 0];
}

/** What the engine measured, where that is what an option left alone comes to. */
function measured({ path }: Control, { understanding }: Work): number | null {
  if (path[0] !== 'rootScales' || !understanding) return null;
  return path[1] === 'vertical' ? understanding.rootScales.vertical : understanding.rootScales.horizontal;
}

/** Data that is typed. What is no JSON stays as it was, and says so. */
function JsonField({
  label,
  says,
  value,
  onChange,
}: {
  label: string;
  says: string;
  value: Plain | undefined;
  onChange: Tell;
}) {
  const shown = value === undefined ? '' : JSON.stringify(value);
  const [text, setText] = useState(shown);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => setText(shown), [shown]);
  const take = () => {
    try {
      onChange(text.trim() === '' ? undefined : (JSON.parse(text) as Plain));
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <input
      className="number wide"
      aria-label={label}
      aria-invalid={isWrong}
      title={isWrong ? `This is no JSON: ${says} is asked for` : says}
      placeholder="JSON"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
    />
  );
}
