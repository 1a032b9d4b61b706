import type { Pose, RecipeReference } from '@stuntdouble/core/engine';
import { GitCompareArrows } from 'lucide-react';
import { Euler, Quaternion } from 'three';
import { Segmented, SettingRow, SliderField, Switch } from '../../controls/controls.js';
import { CHAIN_COLORS } from '../../stage/colors.js';
import type { Work } from '../../state/use-work.js';
import { type GizmoMode, type SideName, setView, useView } from '../../state/view-store.js';
import { cardOf, partWords } from '../report/report-card.js';
import { MeasureRows } from '../report/report-panel.js';
import { poseReference, takeStance, tellReference, toldReference } from './pose-actions.js';

const TO_DEGREES = 180 / Math.PI;

/** The reference pose of either character: which one it is, and what was changed about it. */
export function PosePanel({ work }: { work: Work }) {
  const side = useView((state) => state.posing);
  const gizmo = useView((state) => state.gizmo);
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
    <>
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
        <span className="plain quiet">{understanding[side].kind}</span>
      </div>
      <Segmented label="Reference pose" value={base} options={bases} onChange={chooseBase} />
      <div style={{ display: 'flex', gap: 6, marginTop: 8, flexWrap: 'wrap' }}>
        <button type="button" className="button" onClick={() => takeStance(side, 'T')}>
          T-pose
        </button>
        <button type="button" className="button" onClick={() => takeStance(side, 'A')}>
          A-pose
        </button>
        {side === 'target' && (
          <button type="button" className="button" onClick={() => takeStance('target', 'source')}>
            <GitCompareArrows size={14} aria-hidden />
            Align to source
          </button>
        )}
      </div>
      <p className="faint" style={{ margin: '8px 0 0', fontSize: 12 }}>
        {understanding[side].reason}
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
              options={[
                { value: '0', title: 'Off' },
                { value: '5', title: '5°' },
                { value: '15', title: '15°' },
              ]}
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
                      {[edit.rotation && 'turned', edit.translation && 'moved', edit.scale && 'scaled']
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
    </>
  );
}

/** Three numbers of a joint: degrees (turned about Z, then X, then Y), places in the file's unit, or scales. */
function JointNumbers({
  pose,
  joint,
  mode,
  onChange,
}: {
  pose: Pose;
  joint: number;
  mode: GizmoMode;
  onChange: (pose: Pose, gesture: string | null) => void;
}) {
  const euler = new Euler().setFromQuaternion(new Quaternion().fromArray(pose.rotations, 4 * joint), 'YXZ');
  const values =
    mode === 'rotate'
      ? [euler.x, euler.y, euler.z].map((angle) => angle * TO_DEGREES)
      : Array.from(
          (mode === 'translate' ? pose.translations : pose.scales).subarray(3 * joint, 3 * joint + 3),
        );
  const reach = Math.max(1, ...pose.translations.map(Math.abs));
  const [min, max] = mode === 'rotate' ? [-180, 180] : mode === 'translate' ? [-reach, reach] : [0.1, 4];
  const tell = (axis: number, value: number, gesture: string | null) => {
    const next = structuredClone(pose);
    const told = values.map((old, n) => (n === axis ? value : old)) as [number, number, number];
    if (mode === 'rotate') {
      const [x, y, z] = told.map((angle) => angle / TO_DEGREES) as [number, number, number];
      new Quaternion().setFromEuler(new Euler(x, y, z, 'YXZ')).toArray(next.rotations, 4 * joint);
    } else (mode === 'translate' ? next.translations : next.scales).set(told, 3 * joint);
    onChange(next, gesture);
  };
  return (
    <>
      {['X', 'Y', 'Z'].map((axis, n) => (
        <SettingRow key={axis} title={axis}>
          <SliderField
            label={`${mode} ${axis}`}
            value={values[n]!}
            min={min!}
            max={max!}
            step={mode === 'rotate' ? 0.5 : (max! - min!) / 400}
            digits={mode === 'rotate' ? 1 : 3}
            unit={mode === 'rotate' ? '°' : ''}
            onChange={(value, gesture) => tell(n, value, gesture)}
          />
        </SettingRow>
      ))}
    </>
  );
}
