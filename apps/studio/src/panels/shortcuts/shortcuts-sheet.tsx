import { SHORTCUTS } from '../../keyboard.js';
import { setView } from '../../state/view-store.js';
import { Sheet } from '../sheet.js';

const isMac = () => /Mac|iPad|iPhone/.test(navigator.platform);
const words: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: '⌫',
  Escape: 'Esc',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
};

function keyWords(key: string): string[] {
  return key
    .split('+')
    .map((part) =>
      part === 'Mod'
        ? isMac()
          ? '⌘'
          : 'Ctrl'
        : (words[part] ?? (part.length === 1 ? part.toUpperCase() : part)),
    );
}

/** In the order in which they fill three columns evenly, none of them cut in two. */
const GROUPS = ['Play', 'Show', 'Work', 'Camera'];

/** The lines of a group: what is done, and by which keys. */
function linesOf(group: string): [string, string[]][] {
  const lines = new Map<string, string[]>();
  for (const { title, line = title, keys, group: own } of SHORTCUTS)
    if (own === group) lines.set(line, [...(lines.get(line) ?? []), ...keyWords(keys[0]!)]);
  return [...lines];
}

/** All keys at a glance. */
export function ShortcutsSheet() {
  return (
    <Sheet title="Keys" width={860} onClose={() => setView({ sheet: null })}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className="sheet-body keys" tabIndex={0}>
        {GROUPS.map((group) => (
          <section key={group} aria-label={group}>
            <div className="section-head">{group}</div>
            {linesOf(group).map(([title, keys]) => (
              <div key={title} className="key-row">
                <span>{title}</span>
                <span>
                  {keys.map((key) => (
                    <span key={key} className="key">
                      {key}
                    </span>
                  ))}
                </span>
              </div>
            ))}
            {group === 'Play' && (
              <div className="key-row">
                <span>Hold: the result before</span>
                <span>
                  <span className="key">B</span>
                </span>
              </div>
            )}
          </section>
        ))}
        <section aria-label="Pointer">
          <div className="section-head">Pointer</div>
          {[
            ['Turn', 'drag'],
            ['Move', 'right drag, or Shift'],
            ['Zoom', 'wheel, or two fingers'],
            ['Select a joint', 'click'],
            ['Frame a joint', 'double click'],
            ['New contact', 'double click on its lane'],
          ].map(([title, how]) => (
            <div key={title} className="key-row">
              <span>{title}</span>
              <span className="quiet">{how}</span>
            </div>
          ))}
        </section>
      </div>
    </Sheet>
  );
}
