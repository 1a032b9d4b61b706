import { Segmented, SettingRow, Switch } from '../../controls/controls.js';
import { useDerived } from '../../state/derived-store.js';
import { setView, toggleShown, useView } from '../../state/view-store.js';
import { curveTitle, heatNames } from '../../timeline/heat.js';
import { inWords } from '../in-words.js';
import { Sheet } from '../sheet.js';

/** What a person likes, kept in the browser. */
export function PreferencesSheet() {
  const { theme, fontScale, shown, follow, linked, layout, hiddenHeat: hidden } = useView();
  const curves = useDerived(({ judged }) => Object.values(judged).at(-1)?.curves ?? null);
  return (
    <Sheet title="Preferences" width={460} onClose={() => setView({ sheet: null })}>
      <div className="sheet-body">
        <SettingRow title="Theme">
          <Segmented
            label="Theme"
            value={theme}
            options={[
              { value: 'system' as const, title: "The system's" },
              { value: 'dark' as const, title: 'Dark' },
              { value: 'light' as const, title: 'Light' },
            ]}
            onChange={(next) => setView({ theme: next })}
          />
        </SettingRow>
        <SettingRow title="Text size">
          <Segmented
            label="Text size"
            value={String(fontScale)}
            options={[
              { value: '0.92', title: 'Small' },
              { value: '1', title: 'Usual' },
              { value: '1.12', title: 'Large' },
            ]}
            onChange={(next) => setView({ fontScale: Number(next) })}
          />
        </SettingRow>
        <SettingRow title="Views">
          <Segmented
            label="Views"
            value={layout}
            options={[
              { value: 'beside' as const, title: 'Side by side' },
              { value: 'overlaid' as const, title: 'Overlaid' },
            ]}
            onChange={(next) => setView({ layout: next })}
          />
        </SettingRow>
        <SettingRow title="Floor lines">
          <Switch label="Floor lines" checked={shown.grid} onChange={() => toggleShown('grid')} />
        </SettingRow>
        <SettingRow title="Shadows">
          <Switch label="Shadows" checked={shown.shadow} onChange={() => toggleShown('shadow')} />
        </SettingRow>
        <SettingRow title="Link cameras">
          <Switch label="Link cameras" checked={linked} onChange={(on) => setView({ linked: on })} />
        </SettingRow>
        <SettingRow title="Follow hips">
          <Switch label="Follow the hips" checked={follow} onChange={(on) => setView({ follow: on })} />
        </SettingRow>
        <div className="section-head">The quality strip shows</div>
        {heatNames(curves).map((name) => (
          <SettingRow key={name} title={inWords(curveTitle(name))}>
            <Switch
              label={curveTitle(name)}
              checked={!hidden.includes(name)}
              onChange={(on) =>
                setView({ hiddenHeat: on ? hidden.filter((one) => one !== name) : [...hidden, name] })
              }
            />
          </SettingRow>
        ))}
      </div>
    </Sheet>
  );
}
