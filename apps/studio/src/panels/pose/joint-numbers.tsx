import type { Pose } from '@stuntdouble/core/engine';
import { Euler, Quaternion } from 'three';
import { SettingRow } from '../../controls/controls.js';
import { SliderField } from '../../controls/number-fields.js';
import type { GizmoMode } from '../../state/view-store.js';

const TO_DEGREES = 180 / Math.PI;

/** Three numbers of a joint: degrees (turned about Z, then X, then Y), places in the file's unit, or scales. */
export function JointNumbers({
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
