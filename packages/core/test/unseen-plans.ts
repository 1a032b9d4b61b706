import type { Row } from './unseen-rigs.js';

/** How a person's plan is drawn; lengths in metres. */
export type PersonPlan = {
  arms?: 'T' | 'A' | 'down' | 'ahead' | 'up';
  /** Standing straight, on a chair, or in the middle of a step. */
  legs?: 'straight' | 'sitting' | 'step';
  thigh?: number;
  shin?: number;
  torso?: number;
  arm?: number;
  forearm?: number;
  shoulder?: number;
  head?: number;
  /** Number of fingers besides the thumb; none for a hand without any. */
  fingers?: number;
  thumb?: boolean;
  toes?: boolean;
  collar?: boolean;
  spine?: number;
};

const SPINES: readonly (readonly string[])[] = [
  [],
  ['spine'],
  ['spine', 'chest'],
  ['spine', 'chest', 'upperChest'],
  ['spine', 's2', 's3', 'upperChest'],
  ['spine', 's2', 's3', 's4', 'upperChest'],
];

/** A person as rows: proportions, pose and number of fingers as told. */
export function personPlan({
  arms = 'T',
  legs = 'straight',
  thigh = 0.42,
  shin = 0.41,
  torso = 0.45,
  arm = 0.28,
  forearm = 0.25,
  shoulder = 0.17,
  head = 0.12,
  fingers = 4,
  thumb = fingers > 0,
  toes = true,
  collar = true,
  spine = 3,
}: PersonPlan = {}): Row[] {
  const rows: Row[] = [];
  const ankle = 0.09;
  const hip = legs === 'sitting' ? ankle + shin + 0.03 : ankle + shin + thigh;
  const hips = hip + 0.05;
  rows.push(['root', '', 0, 0, 0], ['hips', 'root', 0, hips, 0]);
  let last = 'hips';
  SPINES[spine]!.forEach((name, k) => {
    rows.push([name, last, 0, hips + (torso * (k + 0.6)) / spine, k % 2 ? -0.015 : 0]);
    last = name;
  });
  const top = hips + torso;
  rows.push(['neck', last, 0, top + 0.06, -0.01], ['head', 'neck', 0, top + 0.06 + head, 0.01]);
  const slope = { T: 0, A: 45, down: 84, ahead: 0, up: -70 }[arms] * (Math.PI / 180);
  const along = arms === 'ahead' ? [0, 0, 1] : [Math.cos(slope), -Math.sin(slope), 0];
  const at = (far: number, ahead = 0, down = 0): [number, number, number] => [
    shoulder + far * along[0]!,
    top - 0.02 + far * along[1]! - down,
    far * along[2]! + ahead,
  ];
  if (collar) rows.push(['~Shoulder', last, 0.04, top - 0.01, 0]);
  rows.push(['~UpperArm', collar ? '~Shoulder' : last, ...at(0)]);
  rows.push(['~LowerArm', '~UpperArm', ...at(arm, arms === 'ahead' ? 0 : -0.005)]);
  const wrist = arm + forearm;
  rows.push(['~Hand', '~LowerArm', ...at(wrist)]);
  const hand = 0.32 * forearm;
  if (thumb)
    ['Metacarpal', 'Proximal', 'Distal'].forEach((word, k) => {
      const [x, y, z] = at(wrist + hand * (0.25 + 0.35 * k));
      const aside = hand * (0.3 + 0.25 * k);
      rows.push([
        `~Thumb${word}`,
        k === 0 ? '~Hand' : `~Thumb${['Metacarpal', 'Proximal'][k - 1]}`,
        ...(arms === 'ahead' ? ([x - aside, y, z] as const) : ([x, y, z + aside] as const)),
      ]);
    });
  ['Index', 'Middle', 'Ring', 'Little'].slice(0, fingers).forEach((finger, f) => {
    const aside = hand * (0.35 - 0.25 * f);
    ['Proximal', 'Intermediate', 'Distal'].forEach((word, k, words) => {
      const [x, y, z] = at(wrist + hand * (1 + 0.4 * k - 0.02 * f * k));
      rows.push([
        `~${finger}${word}`,
        k === 0 ? '~Hand' : `~${finger}${words[k - 1]}`,
        ...(arms === 'ahead' ? ([x - aside, y, z] as const) : ([x, y, z + aside] as const)),
      ]);
    });
  });
  const leg = (side: '~' | 'left' | 'right', swing: number, bend: number) => {
    const x = side === 'right' ? -0.1 : 0.1;
    const knee: [number, number] = [hip - thigh * Math.cos(swing), thigh * Math.sin(swing)];
    const foot: [number, number] = [
      knee[0] - shin * Math.cos(swing - bend),
      knee[1] + shin * Math.sin(swing - bend),
    ];
    rows.push([`${side}UpperLeg`, 'hips', x, hip, 0]);
    rows.push([`${side}LowerLeg`, `${side}UpperLeg`, x, knee[0], knee[1] + 0.01]);
    rows.push([`${side}Foot`, `${side}LowerLeg`, x, foot[0], foot[1] - 0.01]);
    if (toes) rows.push([`${side}Toes`, `${side}Foot`, x, foot[0] - 0.07, foot[1] + 0.12]);
  };
  if (legs === 'straight') leg('~', 0, 0);
  else if (legs === 'sitting') leg('~', Math.PI / 2, Math.PI / 2);
  else {
    leg('left', 0.45, 0.1);
    leg('right', -0.3, 0.4);
  }
  return rows;
}

/** A chain of joints that hangs on a part: `name1`, `name2` and so on. */
export function chainRows(
  name: string,
  parent: string,
  start: readonly [number, number, number],
  step: readonly [number, number, number],
  count: number,
): Row[] {
  return Array.from(
    { length: count },
    (_, k): Row => [
      `${name}${k + 1}`,
      k === 0 ? parent : `${name}${k}`,
      start[0] + k * step[0],
      start[1] + k * step[1],
      start[2] + k * step[2],
    ],
  );
}

/** How a four-legged plan is drawn; lengths in metres. */
export type BeastPlan = {
  length?: number;
  leg?: number;
  neck?: number;
  /** How steeply the neck rises: its share upwards. */
  rise?: number;
  tail?: number;
  ears?: boolean;
  girdles?: boolean;
  /** How far the feet stand out to the side, as of a lizard. */
  sprawl?: number;
};

/** A body on four legs as rows. */
export function beastPlan({
  length = 0.9,
  leg = 0.6,
  neck = 2,
  rise = 0.6,
  tail = 4,
  ears = true,
  girdles = true,
  sprawl = 0,
}: BeastPlan = {}): Row[] {
  const back = leg * 1.15;
  const rows: Row[] = [
    ['root', '', 0, 0, 0],
    ['hips', 'root', 0, back, -length / 2],
    ['spine1', 'hips', 0, back + 0.01, -length / 5],
    ['spine2', 'spine1', 0, back + 0.01, length / 8],
    ['spine3', 'spine2', 0, back, length * 0.38],
  ];
  const step = 0.35 / Math.max(1, neck);
  let last = 'spine3';
  for (let n = 1; n <= neck; n++) {
    rows.push([
      `neck${n}`,
      last,
      0,
      back + rise * step * (n - 0.5),
      length / 2 + step * Math.sqrt(1 - rise * rise) * n,
    ]);
    last = `neck${n}`;
  }
  const face: [number, number] = [
    back + rise * step * (neck + 0.5),
    length / 2 + step * Math.sqrt(1 - rise * rise) * (neck + 1),
  ];
  rows.push(['head', last, 0, face[0], face[1]]);
  rows.push(...chainRows('tail', 'hips', [0, back - 0.01, -length / 2 - 0.08], [0, -0.03 * leg, -0.1], tail));
  if (ears)
    rows.push(
      ['ear~1', 'head', 0.05, face[0] + 0.08, face[1]],
      ['xear~2', 'ear~1', 0.06, face[0] + 0.14, face[1]],
    );
  for (const [end, base, girdle, at] of [
    ['front', 'spine3', 'Shoulder', length * 0.42],
    ['hind', 'hips', 'Hip', -length / 2],
  ] as const) {
    const x = 0.11;
    const hock = end === 'hind' ? -0.14 * leg : 0.02;
    if (girdles) rows.push([`${end}~${girdle}`, base, 0.05, leg * 1.06, at]);
    const first = girdles ? `${end}~${girdle}` : base;
    rows.push([`${end}~UpperLeg`, first, x, leg, at + 0.01]);
    rows.push([
      `${end}~LowerLeg`,
      `${end}~UpperLeg`,
      x + 0.7 * sprawl,
      leg * 0.6,
      at + (end === 'hind' ? 0.1 : -0.08) * leg,
    ]);
    rows.push([`${end}~Foot`, `${end}~LowerLeg`, x + sprawl, leg * 0.26, at + hock]);
    rows.push([`${end}~Toes`, `${end}~Foot`, x + sprawl, leg * 0.05, at + hock + 0.08 * leg]);
  }
  return rows;
}

/** A two-legged dinosaur with small arms. */
export const DINOSAUR: readonly Row[] = [
  ['root', '', 0, 0, 0],
  ['hips', 'root', 0, 1.6, 0],
  ['spine1', 'hips', 0, 1.65, 0.4],
  ['spine2', 'spine1', 0, 1.75, 0.8],
  ['neck1', 'spine2', 0, 2, 1.1],
  ['head', 'neck1', 0, 2.2, 1.4],
  ['jaw', 'head', 0, 2.1, 1.5],
  ...chainRows('tail', 'hips', [0, 1.6, -0.3], [0, -0.02, -0.4], 6),
  ['front~UpperLeg', 'spine2', 0.2, 1.6, 0.8],
  ['front~LowerLeg', 'front~UpperLeg', 0.22, 1.4, 0.85],
  ['front~Foot', 'front~LowerLeg', 0.22, 1.3, 1],
  ['hind~UpperLeg', 'hips', 0.25, 1.5, 0],
  ['hind~LowerLeg', 'hind~UpperLeg', 0.27, 1, 0.3],
  ['hind~Foot', 'hind~LowerLeg', 0.27, 0.45, -0.1],
  ['hind~Toes', 'hind~Foot', 0.27, 0.06, 0.15],
];

/** A bird with a beak. */
export const BIRD: readonly Row[] = [
  ['root', '', 0, 0, 0],
  ['hips', 'root', 0, 0.3, 0],
  ['spine1', 'hips', 0, 0.33, 0.08],
  ['spine2', 'spine1', 0, 0.36, 0.16],
  ['neck1', 'spine2', 0, 0.44, 0.22],
  ['head', 'neck1', 0, 0.52, 0.26],
  ['beak', 'head', 0, 0.51, 0.33],
  ...chainRows('tail', 'hips', [0, 0.3, -0.1], [0, -0.01, -0.08], 3),
  ...chainRows('wing~', 'spine2', [0.05, 0.38, 0.14], [0.15, 0.01, -0.02], 4),
  ['hind~UpperLeg', 'hips', 0.05, 0.27, 0],
  ['hind~LowerLeg', 'hind~UpperLeg', 0.05, 0.2, 0.05],
  ['hind~Foot', 'hind~LowerLeg', 0.05, 0.08, -0.03],
  ['hind~Toes', 'hind~Foot', 0.05, 0.01, 0.03],
];

/** A body on so many pairs of legs, with feelers if told. */
export function insectPlan(pairs: number, feelers: boolean): Row[] {
  return [
    ['root', '', 0, 0, 0],
    ['hips', 'root', 0, 0.2, 0],
    ['spine1', 'hips', 0, 0.2, 0.15],
    ['head', 'spine1', 0, 0.2, 0.3],
    ['tail1', 'hips', 0, 0.2, -0.15],
    ['tail2', 'tail1', 0, 0.2, -0.35],
    ...(feelers
      ? ([
          ['feeler~1', 'head', 0.03, 0.25, 0.35],
          ['feeler~2', 'feeler~1', 0.06, 0.3, 0.5],
        ] as const)
      : []),
    ...Array.from({ length: pairs }, (_, n): Row[] => [
      [`leg${n + 1}~1`, 'hips', 0.05, 0.2, 0.12 - 0.08 * n],
      [`leg${n + 1}~2`, `leg${n + 1}~1`, 0.2, 0.3, 0.15 - 0.1 * n],
      [`leg${n + 1}~3`, `leg${n + 1}~2`, 0.35, 0.02, 0.24 - 0.16 * n],
    ]).flat(),
  ];
}

/** A person's upper body on the body of a horse. */
export function centaurPlan(): Row[] {
  return [
    ...beastPlan({ neck: 0, ears: false }).filter(([part]) => part !== 'head'),
    ['torso1', 'spine3', 0, 0.9, 0.5],
    ['torso2', 'torso1', 0, 1.1, 0.5],
    ['upperNeck', 'torso2', 0, 1.25, 0.5],
    ['skull', 'upperNeck', 0, 1.35, 0.5],
    ['arm~1', 'torso2', 0.15, 1.15, 0.5],
    ['arm~2', 'arm~1', 0.4, 1.15, 0.5],
    ['arm~3', 'arm~2', 0.65, 1.15, 0.5],
  ];
}

/** A hand alone, palm down, its fingers bent by so many degrees at each joint. */
export function handPlan(side: 'left' | 'right', curlDegrees: number): Row[] {
  // Fingers ahead (+Z), palm down: the thumb of a left hand is at −X.
  const x = side === 'left' ? -1 : 1;
  const rows: Row[] = [[`${side}Hand`, '', 0, 0, 0]];
  const add = (finger: string, words: readonly string[], at: [number, number, number], aside: number) => {
    let [px, py, pz] = at;
    words.forEach((word, k) => {
      rows.push([
        `${side}${finger}${word}`,
        k === 0 ? `${side}Hand` : `${side}${finger}${words[k - 1]}`,
        px,
        py,
        pz,
      ]);
      const bend = ((k + 1) * curlDegrees * Math.PI) / 180;
      px += 0.03 * aside;
      py -= 0.03 * Math.sin(bend);
      pz += 0.03 * Math.cos(bend) * (1 - Math.abs(aside) / 2);
    });
  };
  add('Thumb', ['Metacarpal', 'Proximal', 'Distal'], [0.025 * x, 0, 0.02], 0.8 * x);
  ['Index', 'Middle', 'Ring', 'Little'].forEach((finger, f) => {
    add(finger, ['Proximal', 'Intermediate', 'Distal'], [x * (0.03 - 0.02 * f), 0, 0.09 - 0.004 * f], 0);
  });
  return rows;
}
