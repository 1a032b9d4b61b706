import { useState } from 'react';

/** The edge of a region, to be dragged, or moved with the arrows. A double click gives the usual size back. */
export function Splitter({
  label,
  vertical,
  size,
  min,
  max,
  sign,
  onChange,
}: {
  label: string;
  vertical: boolean;
  size: number;
  min: number;
  max: number;
  /** 1 where dragging right or down makes the region larger, −1 where it makes it smaller. */
  sign: 1 | -1;
  onChange: (size: number | null) => void;
}) {
  const [dragging, setDragging] = useState<{ from: number; size: number } | null>(null);
  const clamp = (value: number) => Math.round(Math.max(min, Math.min(max, value)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is dragged is no rule between texts
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={vertical ? 'vertical' : 'horizontal'}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      className={`splitter ${vertical ? 'vertical' : 'horizontal'}`}
      {...(dragging && { 'data-dragging': true })}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging({ from: vertical ? event.clientX : event.clientY, size });
      }}
      onPointerMove={(event) => {
        if (!dragging) return;
        const delta = (vertical ? event.clientX : event.clientY) - dragging.from;
        onChange(clamp(dragging.size + sign * delta));
      }}
      onPointerUp={() => setDragging(null)}
      onDoubleClick={() => onChange(null)}
      onKeyDown={(event) => {
        const keys = vertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
        const way = keys.indexOf(event.key);
        if (way < 0) return;
        event.preventDefault();
        event.stopPropagation();
        onChange(clamp(size + sign * (way === 0 ? -16 : 16)));
      }}
    />
  );
}
