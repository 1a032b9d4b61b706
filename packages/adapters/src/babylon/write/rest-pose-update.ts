import type { JointEdit, ReferenceChoice } from '@stuntdouble/core/engine';

/** What Babylon's Animation Retargeting Tool keeps of a changed rest pose, in its `data.ts` and in what it exports. */
export type RestPoseUpdate = readonly {
  name: string;
  data: {
    position?: readonly number[];
    scaling?: readonly number[];
    quaternion?: readonly number[];
  };
}[];

/**
 * Takes a `restPoseUpdate` of Babylon's tool (B27) as a reference pose: for `stuntdouble.sourceReference` or
 * `stuntdouble.targetReference`. The avatar itself stays as it is.
 */
export function referenceOf(update: RestPoseUpdate): ReferenceChoice {
  const edits = update.map(({ name, data: { position, scaling, quaternion } }): JointEdit => {
    const [x = 0, y = 0, z = 0] = position ?? [];
    const [sx = 1, sy = 1, sz = 1] = scaling ?? [];
    const [qx = 0, qy = 0, qz = 0, qw = 1] = quaternion ?? [];
    return {
      name,
      ...(position && { translation: [x, y, z] }),
      ...(scaling && { scale: [sx, sy, sz] }),
      ...(quaternion && { rotation: [qx, qy, qz, qw] }),
    };
  });
  return { base: 'rest', edits };
}
