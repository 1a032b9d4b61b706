import { Slider as RadixSlider } from 'radix-ui';
import { useEffect, useState } from 'react';

/** A number that is typed. What is no number stays as it was. */
export function NumberField({
  label,
  value,
  onChange,
  min,
  max,
  digits = 2,
  unit = '',
  placeholder,
}: {
  label: string;
  value: number | null;
  onChange: (value: number) => void;
  min?: number;
  max?: number;
  digits?: number;
  unit?: string;
  placeholder?: string;
}) {
  const shown = value === null ? '' : `${value.toFixed(digits)}${unit}`;
  const [text, setText] = useState(shown);
  const [editing, setEditing] = useState(false);
  useEffect(() => {
    if (!editing) setText(shown);
  }, [shown, editing]);
  const take = () => {
    setEditing(false);
    const number = Number.parseFloat(text.replace(',', '.'));
    if (!Number.isFinite(number)) return setText(shown);
    onChange(Math.min(max ?? number, Math.max(min ?? number, number)));
  };
  return (
    <input
      className="number"
      style={{ width: `max(64px, calc(${text.length}ch + 18px))` }}
      inputMode="decimal"
      aria-label={label}
      value={text}
      placeholder={placeholder}
      onFocus={(event) => {
        setEditing(true);
        event.target.select();
      }}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') {
          setText(shown);
          event.stopPropagation();
        }
      }}
    />
  );
}

let gestures = 0;

/** A number that is dragged, and a field to type it in. All changes of one drag carry one gesture id. */
export function SliderField({
  label,
  value,
  min,
  max,
  step,
  digits = 2,
  unit = '',
  placeholder,
  onChange,
}: {
  label: string;
  /** Null where it is left to the engine. */
  value: number | null;
  min: number;
  max: number;
  step: number;
  digits?: number;
  unit?: string;
  placeholder?: string;
  onChange: (value: number, gesture: string | null) => void;
}) {
  const [gesture, setGesture] = useState('');
  return (
    <>
      <RadixSlider.Root
        className="slider"
        value={[Math.min(max, Math.max(min, value ?? min))]}
        min={min}
        max={max}
        step={step}
        onPointerDown={() => setGesture(`drag ${++gestures}`)}
        onValueChange={([next]) => next !== undefined && onChange(next, gesture || `drag ${gestures}`)}
        onValueCommit={() => setGesture('')}
      >
        <RadixSlider.Track className="slider-track">
          <RadixSlider.Range className="slider-range" />
        </RadixSlider.Track>
        <RadixSlider.Thumb className="slider-thumb" aria-label={label} />
      </RadixSlider.Root>
      <NumberField
        label={`${label}, typed`}
        value={value}
        min={min}
        max={max}
        digits={digits}
        unit={unit}
        {...(placeholder && { placeholder })}
        onChange={(next) => onChange(next, null)}
      />
    </>
  );
}
