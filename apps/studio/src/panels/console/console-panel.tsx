import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Segmented } from '../../controls/controls.js';
import { type ConsoleLine, isOfNow, useDerived } from '../../state/derived-store.js';
import { usePresent } from '../../state/use-work.js';

const ICONS = { error: CircleAlert, warning: TriangleAlert, note: Info } as const;
const TONES = { error: 'bad', warning: 'warn', note: 'quiet' } as const;

/** What was said: failures, warnings, notes; to be filtered and cleared. */
export function ConsolePanel() {
  const lines = useDerived((state) => state.lines);
  const document = usePresent();
  const [level, setLevel] = useState<'all' | ConsoleLine['level']>('all');
  const [search, setSearch] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const last = lines.at(-1)?.id;
  // What was said last is what one comes for.
  useEffect(() => {
    if (last !== undefined) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [last]);
  const words = search.toLowerCase();
  const shown = lines.filter(
    (line) => (level === 'all' || line.level === level) && line.text.toLowerCase().includes(words),
  );
  return (
    <div className="console">
      <div className="console-bar">
        <Segmented
          label="Which lines"
          value={level}
          options={[
            { value: 'all' as const, title: `All ${lines.length}` },
            { value: 'error' as const, title: 'Errors' },
            { value: 'warning' as const, title: 'Warnings' },
            { value: 'note' as const, title: 'Notes' },
          ]}
          onChange={setLevel}
        />
        <label className="field-search" style={{ flex: 1, maxWidth: 260 }}>
          <input
            type="search"
            placeholder="Filter"
            aria-label="Filter the console"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        <span className="spacer" />
        <button
          type="button"
          className="button"
          disabled={lines.length === 0}
          onClick={() => useDerived.setState({ lines: [] })}
        >
          Clear
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className="scroll" tabIndex={0} role="log" aria-label="Console" ref={list}>
        <ul className="console-list">
          {shown.map((line) => {
            const Icon = ICONS[line.level];
            return (
              <li
                key={line.id}
                {...(!isOfNow(line, document) && {
                  className: 'faint',
                  title: 'Of files that are not open any more',
                })}
              >
                <Icon
                  size={15}
                  className={TONES[line.level]}
                  aria-label={line.level}
                  style={{ marginTop: 1 }}
                />
                <span>{line.code ? line.text.charAt(0).toUpperCase() + line.text.slice(1) : line.text}</span>
                {line.code && <span className="faint mono">{line.code}</span>}
              </li>
            );
          })}
          {shown.length === 0 && <li className="faint">Nothing to say.</li>}
        </ul>
      </div>
    </div>
  );
}
