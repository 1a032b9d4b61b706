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

/** All keys at a glance. */
export function ShortcutsSheet() {
  const groups = [...new Set(SHORTCUTS.map(({ group }) => group))];
  return (
    <Sheet title="Keys" width={860} onClose={() => setView({ sheet: null })}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className="sheet-body" tabIndex={0} style={{ columns: '250px', columnGap: 28 }}>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <div className="section-head">{group}</div>
            {SHORTCUTS.filter((shortcut) => shortcut.group === group).map(({ title, keys }) => (
              <div
                key={title}
                style={{
                  display: 'flex',
                  justifyContent: 'space-between',
                  gap: 10,
                  minHeight: 26,
                  breakInside: 'avoid',
                }}
              >
                <span>{title}</span>
                <span style={{ whiteSpace: 'nowrap' }}>
                  {keyWords(keys[0]!).map((key) => (
                    <span key={key} className="key" style={{ marginLeft: 3 }}>
                      {key}
                    </span>
                  ))}
                </span>
              </div>
            ))}
            {group === 'Play' && (
              <div style={{ display: 'flex', justifyContent: 'space-between', minHeight: 26 }}>
                <span>Hold: the result before your last step</span>
                <span className="key" style={{ height: 17 }}>
                  B
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
            <div
              key={title}
              style={{ display: 'flex', justifyContent: 'space-between', gap: 10, minHeight: 26 }}
            >
              <span>{title}</span>
              <span className="quiet">{how}</span>
            </div>
          ))}
        </section>
      </div>
    </Sheet>
  );
}
