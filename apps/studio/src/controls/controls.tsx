import { Switch as RadixSwitch, ToggleGroup, Tooltip } from 'radix-ui';
import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react';

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
