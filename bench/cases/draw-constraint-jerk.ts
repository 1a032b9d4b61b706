import { writeFileSync } from 'node:fs';
import { compileConstraints } from '@stuntdouble/core/engine';
import { bakeConstraints } from './bake-constraints.js';
import { CASES, type ConstrainedMotion, MOTIONS, RATE, readMotion } from './constraint-cases.js';
import { track } from './constraint-tracks.js';

/*
 * Draws why some rows of bench/constraints.md jerk more than one and a half times as much as their motion: over time how far
 * constraints take the joint that they are about from where the motion has it, and how much the body jerks with and without.
 *
 *   node bench/dist/cases/draw-constraint-jerk.js      writes docs/pictures/constraint-jerk.svg
 */

const [JUMP, WALK] = ['jump → girl', 'walk → goblin'];
const FAR_HANDS = 'both hands out of reach, two levels';

const PANELS: readonly { motion: string; asked: string; role: string; why: string; isFree?: boolean }[] = [
  {
    motion: JUMP,
    asked: 'a hand after a moving point',
    role: 'rightHand',
    why: 'as it should be: met throughout, the elbow takes it up while the arm swings past the body',
  },
  {
    motion: JUMP,
    asked: 'a hand at a fixed place',
    role: 'rightHand',
    why: 'held where it is in mid-air while the body lands below it: half a height to come down in the ramp of 0.3 s',
  },
  {
    motion: JUMP,
    asked: 'balance',
    role: 'hips',
    why: 'the body is over its feet before they land; they stop within a frame, and it stops with them',
  },
  {
    motion: JUMP,
    asked: 'feet up stairs, on two planes',
    role: 'leftFoot',
    why: 'on a plane at the height of mid-air until the body has landed, then down in 0.3 s',
  },
  {
    motion: JUMP,
    asked: 'hands pulled across the body',
    role: 'leftHand',
    why: 'two goals that exclude each other, and two answers, turned left or right: the motion leads from one to the other',
  },
  {
    motion: JUMP,
    asked: FAR_HANDS,
    role: 'leftHand',
    why: 'the body hangs off feet that are held, as far as legs reach: its answer changes where it crouches and where it lands',
    isFree: true,
  },
  {
    motion: WALK,
    asked: FAR_HANDS,
    role: 'leftHand',
    why: 'the body hangs ahead of the foot that stands, and over to the other one with each step, at arm’s length',
    isFree: true,
  },
  {
    motion: 'boxing → guy',
    asked: 'a hand out of reach',
    role: 'rightHand',
    why: 'one hand far ahead of feet that shuffle: each short step lets the body go, and catches it again',
    isFree: true,
  },
  {
    motion: 'cartwheel → goblin',
    asked: FAR_HANDS,
    role: 'leftHand',
    why: 'a body that turns over hangs off its feet until they leave the ground, and is caught by them as they land',
    isFree: true,
  },
];

const [WIDTH, PANEL, LEFT, PLOT] = [920, 150, 20, 96];
const FREE = '#2f855a';

/** Summed third differences of all joints, metres, by frame. */
function jerks(places: readonly Float64Array[]): number[] {
  return places.map((now, k) => {
    if (k < 3) return 0;
    const [a, b, c] = [places[k - 3]!, places[k - 2]!, places[k - 1]!];
    let sum = 0;
    for (let i = 0; i < now.length; i += 3)
      sum += Math.hypot(...[i, i + 1, i + 2].map((n) => now[n]! - 3 * c[n]! + 3 * b[n]! - a[n]!));
    return sum;
  });
}

function line(values: readonly number[], most: number, style: string): string {
  const step = (WIDTH - 2 * LEFT) / (values.length - 1);
  const points = values.map(
    (x, k) => `${(LEFT + k * step).toFixed(1)},${(PLOT - (PLOT - 24) * Math.min(1, x / most)).toFixed(1)}`,
  );
  return `<polyline points="${points.join(' ')}" fill="none" ${style}/>`;
}

function drawPanel(motion: ConstrainedMotion, { asked, role, why, isFree }: (typeof PANELS)[number]): string {
  const { body, frames, stands, duration } = motion;
  const found = CASES.find(({ name }) => name === asked)!;
  const compile = (held: typeof stands) =>
    compileConstraints(body, found.constraints(motion), { duration, frameRate: RATE, stands: held });
  const data = compile(stands);
  const { poses } = bakeConstraints(motion, data);
  const [before, now] = [frames, poses].map((list) => track(body.skeleton, list, data.plan.joints));
  const joint = data.plan.joints.indexOf(body.joints[role as keyof typeof body.joints]!);
  const away = now!.map((places, k) =>
    Math.hypot(...[0, 1, 2].map((c) => places[3 * joint + c]! - before![k]![3 * joint + c]!)),
  );
  const [was, is] = [jerks(before!), jerks(now!)];
  // What joints there are depends on what stands: against the motion's own jerk of the same joints.
  const free = isFree ? jerksOf(compile([])) : null;
  function jerksOf(other: typeof data): { was: number[]; is: number[] } {
    const lists = [frames, bakeConstraints(motion, other).poses];
    const [was, is] = lists.map((list) => jerks(track(body.skeleton, list, other.plan.joints)));
    return { was: was!, is: is! };
  }
  const sum = (list: readonly number[]) => list.reduce((total, x) => total + x, 0);
  const most = Math.max(...was, ...is, ...(free?.is ?? []));
  const furthest = Math.max(...away) || 1;
  const at = (time: number) => LEFT + ((WIDTH - 2 * LEFT) * Math.min(duration, Math.max(0, time))) / duration;
  const shade = data.constraints
    .filter(({ times }) => times.out > times.in && (times.in > 0 || times.out < duration))
    .map(
      ({ times }) =>
        `<rect x="${at(times.in).toFixed(1)}" y="24" width="${(at(times.out) - at(times.in)).toFixed(1)}" height="${PLOT - 24}" fill="#f3ead6"/>` +
        `<rect x="${at(times.start).toFixed(1)}" y="24" width="${(at(times.end) - at(times.start)).toFixed(1)}" height="${PLOT - 24}" fill="#e6d3a8"/>`,
    )
    .join('');
  // A row of bars for each of the feet.
  const standing = [...new Set(stands.map(({ joint }) => joint))];
  const feet = stands
    .map(
      ({ joint, start, end }) =>
        `<rect x="${at(start).toFixed(1)}" y="${PLOT + 2 + 4 * standing.indexOf(joint)}" width="${(at(end) - at(start)).toFixed(1)}" height="3" fill="#888"/>`,
    )
    .join('');
  const times = (sum(is) / sum(was)).toFixed(2);
  const far = ((100 * furthest) / body.height).toFixed(0);
  return (
    `<text x="${LEFT}" y="16" font-weight="bold">${motion.name}: ${asked}, jerk × ${times}</text>${shade}${feet}` +
    line(away, furthest, 'stroke="#2b6cb0" stroke-dasharray="4 3" stroke-width="1.5"') +
    line(was, most, 'stroke="#999" stroke-width="1.5"') +
    (free ? line(free.is, most, `stroke="${FREE}" stroke-width="1.5"`) : '') +
    line(is, most, 'stroke="#c0392b" stroke-width="1.5"') +
    `<text x="${LEFT}" y="${PLOT + 24}">${why}</text>` +
    `<text x="${LEFT}" y="${PLOT + 39}" fill="#2b6cb0">${role}: up to ${far} % of the height from where the motion has it${
      free
        ? `<tspan fill="${FREE}">; with feet let go jerk × ${(sum(free.is) / sum(free.was)).toFixed(2)}</tspan>`
        : ''
    }</text>`
  );
}

if (process.argv[1]?.endsWith('draw-constraint-jerk.js')) {
  const motions = new Map<string, ConstrainedMotion>();
  for (const { motion } of PANELS) {
    if (motions.has(motion)) continue;
    const found = await readMotion(MOTIONS.find(({ name }) => name === motion)!);
    if (!found) throw new Error(`the files of "${motion}" are not at hand`);
    motions.set(motion, found);
  }
  const panels = PANELS.map(
    (panel, n) =>
      `<g transform="translate(0 ${n * PANEL + 8})">${drawPanel(motions.get(panel.motion)!, panel)}</g>`,
  );
  const height = PANELS.length * PANEL + 16;
  writeFileSync(
    new URL('../../../docs/pictures/constraint-jerk.svg', import.meta.url),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12"><title>Jerk over time under six requests of constraints</title><rect width="${WIDTH}" height="${height}" fill="#fff"/>${panels.join('')}</svg>\n`,
  );
}
