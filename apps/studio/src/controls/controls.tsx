import { Check, ChevronDown } from 'lucide-react';
import {
  Select as RadixSelect,
  Slider as RadixSlider,
  Switch as RadixSwitch,
  ToggleGroup,
  Tooltip,
} from 'radix-ui';
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useId, useState } from 'react';

/** Words that come up beside what is pointed at, with the key that does the same. */
export function Tip({ text, keys, children }: { text: string; keys?: string; children: ReactNode }) {
  return (
    <Tooltip.Root delayDuration={450}>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={8}>
          {text}
          {keys && <span className="key">{keys}</span>}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  label: string;
  keys?: string;
  pressed?: boolean;
  small?: boolean;
  children: ReactNode;
};

/** A button that is a picture, with its name for whoever cannot see it. */
export function IconButton({
  label,
  keys,
  pressed,
  small,
  children,
  className = '',
  ...rest
}: IconButtonProps) {
  return (
    <Tip text={label} {...(keys && { keys })}>
      <button
        type="button"
        aria-label={label}
        className={`icon-button${small ? ' small' : ''} ${className}`}
        {...(pressed !== undefined && { 'aria-pressed': pressed })}
        {...rest}
      >
        {children}
      </button>
    </Tip>
  );
}

/** One of a few, side by side. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly { value: T; title: string }[];
  onChange: (value: T) => void;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      className="segmented"
      aria-label={label}
      value={value}
      onValueChange={(next) => next && onChange(next as T)}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} title={option.title}>
          {option.title}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}

/** On or off. */
export function Switch({
  label,
  checked,
  onChange,
  disabled = false,
}: {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <RadixSwitch.Root
      className="switch"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
    >
      <RadixSwitch.Thumb asChild>
        <span />
      </RadixSwitch.Thumb>
    </RadixSwitch.Root>
  );
}

/** One of many, in a list that opens. */
export function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { value: string; title: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <RadixSelect.Root value={value} onValueChange={onChange}>
      <RadixSelect.Trigger className="select" aria-label={label}>
        <span className="clip">
          <RadixSelect.Value />
        </span>
        <ChevronDown size={14} aria-hidden />
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content className="popup" position="popper" sideOffset={4}>
          <RadixSelect.Viewport>
            {options.map((option) => (
              <RadixSelect.Item key={option.value} value={option.value} className="popup-item">
                <RadixSelect.ItemText>{option.title}</RadixSelect.ItemText>
                <RadixSelect.ItemIndicator style={{ marginLeft: 'auto' }}>
                  <Check size={14} aria-hidden />
                </RadixSelect.ItemIndicator>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}

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

/** A label and its control in a row; a dot says that it differs from the default. */
export function SettingRow({
  title,
  summary,
  isTold = false,
  changed = false,
  onReset,
  children,
}: {
  title: string;
  summary?: string;
  /** Whether the summary stands below the title; else it comes when one points at that. */
  isTold?: boolean;
  changed?: boolean;
  onReset?: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const label = (
    <span className="label clip" id={id} title={summary ? undefined : title}>
      {title}
    </span>
  );
  return (
    <div className="setting" data-changed={changed}>
      {changed && onReset ? (
        <button
          type="button"
          className="dot"
          style={{ color: 'var(--accent)', width: 7, height: 7 }}
          aria-label={`Reset ${title} to its default`}
          title="Changed; click to reset"
          onClick={onReset}
        />
      ) : (
        <span />
      )}
      {summary && isTold ? (
        <span className="told">
          {label}
          <small className="faint">{summary}</small>
        </span>
      ) : summary ? (
        <Tip text={summary}>{label}</Tip>
      ) : (
        label
      )}
      <div className="control">{children}</div>
    </div>
  );
}
