import { CONSTRAINT_KINDS, type Constraint, type Layer } from '@stuntdouble/core/engine';
import { Plus, Trash2 } from 'lucide-react';
import { IconButton, Segmented, SettingRow, Switch } from '../../controls/controls.js';
import { NumberField, SliderField } from '../../controls/number-fields.js';
import { Select } from '../../controls/select.js';
import { sourceTiming } from '../../stage/content.js';
import type { Work } from '../../state/use-work.js';
import {
  addConstraint,
  addKey,
  changeConstraint,
  changeLayer,
  deleteSelectedEdit,
  keyAt,
  useEditChoice,
} from '../../timeline/edit-actions.js';
import { constraintTitle } from '../../timeline/edit-lanes.js';
import { inWords } from '../in-words.js';

/** What was done by hand, where some is chosen on the timeline: a constraint, or keys. */
export function EditEditor({ work }: { work: Work }) {
  const { constraint: index, layer: layerIndex, key } = useEditChoice();
  const recipe = work.job?.recipe;
  const constraint = recipe?.constraints?.[index];
  const layer = recipe?.layers?.[layerIndex];
  if (constraint) return <ConstraintEditor key={index} constraint={constraint} index={index} work={work} />;
  if (layer) return <LayerEditor layer={layer} index={layerIndex} at={key} work={work} />;
  return null;
}

/** Buttons that add what is done by hand. */
export function AddEdits() {
  return (
    <div style={{ display: 'flex', gap: 8, padding: '8px 0' }}>
      <button
        type="button"
        className="button"
        onClick={() => addConstraint()}
        title="Holds the selected joint where it is now; H"
      >
        <Plus size={14} aria-hidden /> Constraint
      </button>
      <button
        type="button"
        className="button"
        onClick={() => addKey()}
        title="Keys the selected joint at this frame; I"
      >
        <Plus size={14} aria-hidden /> Layer key
      </button>
    </div>
  );
}

const AXES = ['X', 'Y', 'Z'] as const;
const EASES = ['smoother', 'smooth', 'linear', 'step'].map((value) => ({ value, title: inWords(value) }));

/** The body parts and joints that an edit can be about. */
function jointChoices({ targetFacts }: Work, now: string | undefined): { value: string; title: string }[] {
  const roles = (targetFacts?.roles ?? []).flatMap((role) => role ?? []);
  const names = (targetFacts?.skeleton?.names ?? []).filter((_, n) => !targetFacts?.roles[n]);
  const all = [...new Set([...(now ? [now] : []), ...roles, ...names])].filter((name) => name !== '');
  return all.map((value) => ({
    value,
    title: roles.some((role) => role === value) ? inWords(value) : value,
  }));
}

function ConstraintEditor({
  constraint,
  index,
  work,
}: {
  constraint: Constraint;
  index: number;
  work: Work;
}) {
  const title = constraintTitle(constraint);
  const tell = (next: Partial<Constraint>, what: string, gesture: string | null = null) =>
    changeConstraint(index, (one) => ({ ...one, ...next }), `${what} of ${title}`, gesture);
  const { goal = {}, kind } = constraint;
  const place = goal.place ?? [0, 1, 0];
  return (
    <section className="group pass-open" aria-label={`Constraint ${title}`}>
      <EditHead title={title} />
      <SettingRow title="Joint" summary="What is held">
        <Select
          label="Constrained joint"
          value={constraint.joint ?? ''}
          options={jointChoices(work, constraint.joint)}
          onChange={(joint) => tell({ joint }, 'Joint')}
        />
      </SettingRow>
      <SettingRow title="Kind" summary="What is asked of it">
        <Select
          label="Kind of constraint"
          value={kind}
          options={CONSTRAINT_KINDS.map((value) => ({ value, title: inWords(value) }))}
          onChange={(value) => tell(firstGoal(value as Constraint['kind'], constraint), 'Kind')}
        />
      </SettingRow>
      {(kind === 'point' || kind === 'lookAt') && (
        <SettingRow title="Goal" summary="In metres; drag it in the view as well">
          {AXES.map((axis, n) => (
            <NumberField
              key={axis}
              label={`Goal ${axis}`}
              value={place[n]!}
              onChange={(value) =>
                tell(
                  {
                    goal: {
                      ...goal,
                      place: place.map((one, k) => (k === n ? value : one)) as [number, number, number],
                    },
                  },
                  'Goal',
                )
              }
            />
          ))}
        </SettingRow>
      )}
      {kind === 'plane' && (
        <SettingRow title="Height" summary="How high the plane lies, in metres">
          <Segmented
            label="Side of the plane"
            value={constraint.side ?? 'on'}
            options={(['above', 'on', 'below'] as const).map((value) => ({ value, title: inWords(value) }))}
            onChange={(side) => tell({ side }, 'Side')}
          />
          <NumberField
            label="Height of the plane"
            value={goal.height ?? 0}
            onChange={(height) => tell({ goal: { ...goal, height } }, 'Height')}
          />
        </SettingRow>
      )}
      {(kind === 'relative' || kind === 'distance') && (
        <SettingRow title="To" summary="The joint that it keeps to">
          <Select
            label="Joint that it keeps to"
            value={goal.joint ?? ''}
            options={jointChoices(work, goal.joint)}
            onChange={(joint) => tell({ goal: { ...goal, joint } }, 'Goal')}
          />
          {kind === 'distance' && (
            <NumberField
              label="Distance"
              value={constraint.length ?? 0}
              unit=" m"
              onChange={(length) => tell({ length }, 'Distance')}
            />
          )}
        </SettingRow>
      )}
      {kind === 'orientation' && (
        <SettingRow title="Turn" summary="Degrees from the aligned reference">
          {AXES.map((axis, n) => (
            <NumberField
              key={axis}
              label={`Turn ${axis}`}
              value={goal.degrees?.[n] ?? 0}
              digits={1}
              onChange={(value) =>
                tell(
                  {
                    goal: {
                      ...goal,
                      degrees: AXES.map((_, k) => (k === n ? value : (goal.degrees?.[k] ?? 0))) as [
                        number,
                        number,
                        number,
                      ],
                    },
                  },
                  'Turn',
                )
              }
            />
          ))}
        </SettingRow>
      )}
      <SettingRow title="Ease" summary="How it comes and goes on its ramps">
        <Select
          label="Ease of ramps"
          value={constraint.ease ?? 'smoother'}
          options={EASES}
          onChange={(ease) => tell({ ease: ease as NonNullable<Constraint['ease']> }, 'Ease')}
        />
      </SettingRow>
      <SettingRow title="Level" summary="Lower ones come first, exactly; 0 is what stands">
        <NumberField
          label="Level"
          value={constraint.level ?? 1}
          min={0}
          max={9}
          digits={0}
          onChange={(level) => tell({ level: Math.round(level) }, 'Level')}
        />
      </SettingRow>
      <SettingRow title="Muted" summary="Left out for now">
        <Switch
          label="Mute the constraint"
          checked={constraint.muted === true}
          onChange={(muted) => tell({ muted }, muted ? 'Mute' : 'Unmute')}
        />
      </SettingRow>
    </section>
  );
}

/** A constraint of another kind, with a goal that this kind has. */
function firstGoal(kind: Constraint['kind'], { goal }: Constraint): Partial<Constraint> {
  switch (kind) {
    case 'point':
    case 'lookAt':
      return { kind, goal: { place: goal?.place ?? [0, 1, 1] } };
    case 'plane':
      return { kind, side: 'above', goal: { normal: [0, 1, 0], height: goal?.place?.[1] ?? 0 } };
    case 'relative':
      return { kind, goal: { joint: 'hips' } };
    case 'distance':
      return { kind, goal: { joint: 'hips' }, length: 0.3 };
    case 'orientation':
      return { kind, goal: { degrees: [0, 0, 0] } };
    default:
      return { kind, goal: {} };
  }
}

function EditHead({ title }: { title: string }) {
  return (
    <div className="pass-head">
      <h2 className="clip" style={{ flex: 1, margin: 0, fontSize: 13 }}>
        {title}
      </h2>
      <IconButton small label={`Delete ${title}`} keys="Delete" onClick={() => deleteSelectedEdit()}>
        <Trash2 size={15} aria-hidden />
      </IconButton>
    </div>
  );
}

function LayerEditor({
  layer,
  index,
  at,
  work,
}: {
  layer: Layer;
  index: number;
  at: number | null;
  work: Work;
}) {
  const title = layer.name ?? `layer ${index + 1}`;
  const tell = (next: Partial<Layer>, what: string, gesture: string | null = null) =>
    changeLayer(index, (one) => ({ ...one, ...next }), `${what} of ${title}`, gesture);
  const { offset, rate } = sourceTiming(work.job);
  const time = at === null ? null : offset + at * rate;
  const keyed = Object.keys(layer.joints ?? {}).filter((joint) => time !== null && keyAt(layer, joint, time));
  return (
    <section className="group pass-open" aria-label={`Layer ${title}`}>
      <EditHead title={at === null ? title : `${title}: keys at ${at.toFixed(2)} s`} />
      {time !== null &&
        keyed.map((joint) => (
          <SettingRow
            key={joint}
            title={inWords(joint)}
            summary="Degrees that are added, in model axes of the aligned reference"
          >
            {AXES.map((axis, n) => (
              <NumberField
                key={axis}
                label={`${joint} ${axis}, degrees`}
                value={keyAt(layer, joint, time)![n]!}
                digits={1}
                unit="°"
                onChange={(value) =>
                  changeLayer(index, (one) => withDegrees(one, joint, time, n, value), `Key of ${joint}`)
                }
              />
            ))}
          </SettingRow>
        ))}
      <SettingRow title="Weight" summary="How much of the layer is added">
        {typeof layer.weight === 'object' ? (
          <span className="quiet">{layer.weight.length} keys over time</span>
        ) : (
          <SliderField
            label="Weight of the layer"
            value={layer.weight ?? 1}
            min={0}
            max={1}
            step={0.01}
            onChange={(weight, gesture) => tell({ weight }, 'Weight', gesture)}
          />
        )}
      </SettingRow>
      <SettingRow
        title="Added"
        summary="Before corrections and constraints, which respect it, or after them as the last word"
      >
        <Segmented
          label="When the layer is added"
          value={layer.when ?? 'before'}
          options={[
            { value: 'before', title: 'Before' },
            { value: 'after', title: 'After' },
          ]}
          onChange={(when) => tell({ when }, 'Order')}
        />
      </SettingRow>
      <SettingRow title="Muted" summary="Left out for now">
        <Switch
          label="Mute the layer"
          checked={layer.muted === true}
          onChange={(muted) => tell({ muted }, muted ? 'Mute' : 'Unmute')}
        />
      </SettingRow>
      <button type="button" className="button" onClick={() => addKey()}>
        <Plus size={14} aria-hidden /> Key at this frame
      </button>
    </section>
  );
}

function withDegrees(layer: Layer, joint: string, time: number, axis: number, value: number): Layer {
  const keys = (layer.joints?.[joint] ?? []).map((key) =>
    Math.abs(key.time - time) < 1e-4
      ? { ...key, degrees: key.degrees.map((one, n) => (n === axis ? value : one)) as typeof key.degrees }
      : key,
  );
  return { ...layer, joints: { ...layer.joints, [joint]: keys } };
}
