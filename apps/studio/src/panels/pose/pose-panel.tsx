import type { RecipeReference } from '@stuntdouble/core/engine';
import { GitCompareArrows } from 'lucide-react';
import { Segmented, SettingRow, Switch } from '../../controls/controls.js';
import { CHAIN_COLORS } from '../../stage/colors.js';
import type { Work } from '../../state/use-work.js';
import { type GizmoMode, type SideName, setView, useView } from '../../state/view-store.js';
import { MeasureRows } from '../report/measure-rows.js';
import { partWords } from '../report/plain-reasons.js';
import { cardOf } from '../report/report-card.js';
import { JointNumbers } from './joint-numbers.js';
import { poseReference, takeFrame, takeStance, tellReference, toldReference } from './pose-actions.js';

/** The reference pose of either character: which one it is, and what was changed about it. */
export function PosePanel({ work }: { work: Work }) {
  const side = useView((state) => state.posing);
  const gizmo = useView((state) => state.gizmo);
  const poseAt = useView((state) => state.poseAt);
  const selection = useView((state) => state.selection);
  const { understanding, document } = work;
  const file = side === 'source' ? work.source : work.target;
  const facts = side === 'source' ? work.sourceFacts : work.targetFacts;
  if (!file || !facts?.skeleton || !understanding)
    return <p className="quiet">Drop a motion and a character first.</p>;
  const told = toldReference(document, side, file.sha256);
  const base = told ? (typeof told.base === 'string' ? told.base : 'frame') : 'auto';
  const edits = told?.edits ?? [];
  const joint = selection?.side === side ? selection.joint : -1;
  const pose = understanding[side].pose;
  const chooseBase = (next: string) => {
    const reference: RecipeReference | undefined =
      next === 'auto'
        ? undefined
        : next === 'frame'
          ? { base: { time: 0 } }
          : { base: next as 'rest' | 'bind' };
    tellReference(`Reference ${next}`, side, file.sha256, reference);
  };
  const bases = [
    { value: 'auto', title: 'Auto' },
    { value: 'rest', title: 'Rest' },
    ...(facts.skeleton.bind ? [{ value: 'bind', title: 'Bind' }] : []),
    ...(facts.clips.length > 0 ? [{ value: 'frame', title: 'First frame' }] : []),
  ];
  return (
    <div className="pose">
      <Segmented
        label="Whose reference pose"
        value={side}
        options={[
          { value: 'target' as SideName, title: 'Character' },
          { value: 'source' as SideName, title: 'Source' },
        ]}
        onChange={(next) => setView({ posing: next, selection: null })}
      />
      <div className="section-head">
        <h2 style={{ font: 'inherit' }}>Reference pose</h2>
        <span className="plain quiet">{edits.length > 0 ? 'edited' : understanding[side].kind}</span>
      </div>
      <Segmented label="Reference pose" value={base} options={bases} onChange={chooseBase} />
      <div className="stances">
        <button type="button" className="button" onClick={() => takeStance(side, 'T')}>
          T-pose
        </button>
        <button type="button" className="button" onClick={() => takeStance(side, 'A')}>
          A-pose
        </button>
        <button
          type="button"
          className="button"
          title="The pose of the frame that is played becomes the reference"
          onClick={() => takeFrame(side, file.sha256)}
        >
          This frame
        </button>
        {side === 'target' && (
          <button type="button" className="button wide" onClick={() => takeStance('target', 'source')}>
            <GitCompareArrows size={14} aria-hidden />
            Align to source
          </button>
        )}
      </div>
      {side === 'target' && (
        <SettingRow title="Shown" summary="Posed in the reference itself, or on the frame that is played">
          <Segmented
            label="What is shown while posing"
            value={poseAt}
            options={[
              { value: 'reference' as const, title: 'Reference' },
              { value: 'frame' as const, title: 'Frame' },
            ]}
            onChange={(next) => setView({ poseAt: next })}
          />
        </SettingRow>
      )}
      <p className="faint" style={{ margin: '8px 0 0', fontSize: 12 }}>
        {asSentence(understanding[side].reason)}
      </p>
      {joint >= 0 ? (
        <>
          <div className="section-head">
            <h2 className="clip" style={{ font: 'inherit' }}>
              {facts.skeleton.names[joint]}
            </h2>
            <span className="plain quiet">
              {facts.roles[joint] ? partWords(facts.roles[joint]!) : 'no body part'}
            </span>
          </div>
          <div style={{ display: 'flex', gap: 8 }}>
            <div style={{ flex: 1 }}>
              <Segmented
                label="What is dragged"
                value={gizmo.mode}
                options={[
                  { value: 'translate' as GizmoMode, title: 'Move' },
                  { value: 'rotate' as GizmoMode, title: 'Rotate' },
                  { value: 'scale' as GizmoMode, title: 'Scale' },
                ]}
                onChange={(mode) => setView({ gizmo: { ...gizmo, mode } })}
              />
            </div>
            <Segmented
              label="Axes"
              value={gizmo.space}
              options={[
                { value: 'local' as const, title: 'Local' },
                { value: 'world' as const, title: 'World' },
              ]}
              onChange={(space) => setView({ gizmo: { ...gizmo, space } })}
            />
          </div>
          <JointNumbers
            pose={pose}
            joint={joint}
            mode={gizmo.mode}
            onChange={(next, gesture) => poseReference(side, file.sha256, next, 'Pose a joint', gesture)}
          />
          <SettingRow title="Snap">
            <Segmented
              label="Snap"
              value={String(gizmo.snap)}
              options={['0', '5', '15'].map((value) => ({
                value,
                title: snapWords(gizmo.mode, Number(value)),
              }))}
              onChange={(snap) => setView({ gizmo: { ...gizmo, snap: Number(snap) } })}
            />
          </SettingRow>
          <SettingRow title="Mirror" summary="The joint of the other side is turned likewise">
            <Switch
              label="Mirror to the other side"
              checked={gizmo.mirror}
              onChange={(mirror) => setView({ gizmo: { ...gizmo, mirror } })}
            />
          </SettingRow>
        </>
      ) : (
        <p className="banner" style={{ marginTop: 12 }}>
          <span>
            Click a joint of the {side === 'source' ? 'source' : 'character'} to turn it. The motion is paused
            meanwhile.
          </span>
        </p>
      )}
      {edits.length > 0 && (
        <>
          <div className="section-head">
            <span>Edits</span>
            <button
              type="button"
              className="link-button plain"
              onClick={() =>
                tellReference(
                  'Drop all edits',
                  side,
                  file.sha256,
                  told && told.base !== 'auto' && typeof told.base === 'string'
                    ? { base: told.base }
                    : undefined,
                )
              }
            >
              drop all
            </button>
          </div>
          <ul aria-label="Edits">
            {edits.map((edit) => {
              const at = facts.skeleton!.names.indexOf(edit.name);
              return (
                <li key={edit.name}>
                  <button
                    type="button"
                    className="pair-row"
                    style={{ gridTemplateColumns: '8px minmax(0, 1fr) 12px minmax(0, 1fr) 0' }}
                    onClick={() => at >= 0 && setView({ selection: { side, joint: at } })}
                  >
                    <span
                      className="dot"
                      style={{ color: CHAIN_COLORS[facts.chains[at] ?? 'none'] }}
                      aria-hidden
                    />
                    <span className="clip">{edit.name}</span>
                    <span className="faint" aria-hidden>
                      ←
                    </span>
                    <span className="quiet clip">
                      {[
                        edit.rotation && `turned ${turnWords(edit.rotation)}`,
                        edit.translation && 'moved',
                        edit.scale && 'scaled',
                      ]
                        .filter(Boolean)
                        .join(', ')}
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
        </>
      )}
      {work.judged && work.before && (
        <MeasureRows now={cardOf(work.judged.measures)} before={cardOf(work.before.measures)} />
      )}
    </div>
  );
}

/** Words of the engine as a sentence of their own. */
function asSentence(words: string): string {
  return words === '' ? '' : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** How far a rotation turns, in degrees. */
function turnWords([x, y, z, w]: readonly [number, number, number, number]): string {
  return `${((360 / Math.PI) * Math.atan2(Math.hypot(x, y, z), Math.abs(w))).toFixed(1)}°`;
}

/** What a handle snaps to, in words: degrees, centimetres, or hundredths of a scale. */
function snapWords(mode: GizmoMode, snap: number): string {
  if (snap === 0) return 'Off';
  return mode === 'rotate' ? `${snap}°` : mode === 'translate' ? `${snap} cm` : `${snap} %`;
}
