import { writeFileSync } from 'node:fs';
import { compileConstraints } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { findQualityFile } from '../quality-files.js';
import { bakeConstraints } from './bake-constraints.js';
import { CASES, type ConstrainedMotion, prepareMotion, RATE } from './constraint-cases.js';
import { track } from './constraint-tracks.js';

/*
 * Draws why some rows of bench/constraints.md jerk more than one and a half times as much as their motion: over time how far
 * constraints take the joint that they are about from where the motion has it, and how much the body jerks with and without.
 *
 *   node bench/dist/cases/draw-constraint-jerk.js      writes docs/pictures/constraint-jerk.svg
 */

const PANELS: readonly { motion: 'jump' | 'walk'; asked: string; role: string; why: string }[] = [
  {
    motion: 'jump',
    asked: 'a hand after a moving point',
    role: 'rightHand',
    why: 'as it should be: met throughout, the elbow takes it up while the arm swings past the body',
  },
  {
    motion: 'jump',
    asked: 'a hand at a fixed place',
    role: 'rightHand',
    why: 'held where it is in mid-air while the body lands below it: half a height to come down in the ramp of 0.3 s',
  },
  {
    motion: 'jump',
    asked: 'balance',
    role: 'hips',
    why: 'the body is over its feet before they land; they stop within a frame, and it stops with them',
  },
  {
    motion: 'jump',
    asked: 'feet up stairs, on two planes',
    role: 'leftFoot',
    why: 'on a plane at the height of mid-air until the body has landed, then down in 0.3 s',
  },
  {
    motion: 'jump',
    asked: 'both hands out of reach, two levels',
    role: 'leftHand',
    why: 'weak: goals that are missed by half a height pull the body to and fro; frames that changed their answer still show',
  },
  {
    motion: 'walk',
    asked: 'both hands out of reach, two levels',
    role: 'leftHand',
    why: 'weak: the trunk bends for both as far as is worth it, anew in every step, where the walk hardly moves it',
  },
];

const [WIDTH, PANEL, LEFT, PLOT] = [920, 150, 20, 96];

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

function drawPanel(motion: ConstrainedMotion, asked: string, role: string, why: string): string {
  const { body, frames, stands, duration } = motion;
  const found = CASES.find(({ name }) => name === asked)!;
  const data = compileConstraints(body, found.constraints(motion), { duration, frameRate: RATE, stands });
  const { poses } = bakeConstraints(motion, data);
  const [before, now] = [frames, poses].map((list) => track(body.skeleton, list, data.plan.joints));
  const joint = data.plan.joints.indexOf(body.joints[role as keyof typeof body.joints]!);
  const away = now!.map((places, k) =>
    Math.hypot(...[0, 1, 2].map((c) => places[3 * joint + c]! - before![k]![3 * joint + c]!)),
  );
  const [was, is] = [jerks(before!), jerks(now!)];
  const sum = (list: readonly number[]) => list.reduce((total, x) => total + x, 0);
  const most = Math.max(...was, ...is);
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
  const feet = stands
    .map(
      ({ start, end }) =>
        `<rect x="${at(start).toFixed(1)}" y="${PLOT + 3}" width="${(at(end) - at(start)).toFixed(1)}" height="4" fill="#888"/>`,
    )
    .join('');
  const times = (sum(is) / sum(was)).toFixed(2);
  const far = ((100 * furthest) / body.height).toFixed(0);
  return (
    `<text x="${LEFT}" y="16" font-weight="bold">${motion.name}: ${asked}, jerk × ${times}</text>${shade}${feet}` +
    line(away, furthest, 'stroke="#2b6cb0" stroke-dasharray="4 3" stroke-width="1.5"') +
    line(was, most, 'stroke="#999" stroke-width="1.5"') +
    line(is, most, 'stroke="#c0392b" stroke-width="1.5"') +
    `<text x="${LEFT}" y="${PLOT + 22}">${why}</text>` +
    `<text x="${LEFT}" y="${PLOT + 37}" fill="#2b6cb0">${role}: up to ${far} % of the height from where the motion has it</text>`
  );
}

if (process.argv[1]?.endsWith('draw-constraint-jerk.js')) {
  const load = async (name: string, source: string, target: string) =>
    prepareMotion(
      name,
      await read(findQualityFile(`samples/motions/${source}`)!),
      await read(findQualityFile(`samples/characters/${target}`)!),
    );
  const motions = {
    jump: await load('jump → girl', 'jump.glb', 'vrm-girl.vrm'),
    walk: await load('walk → goblin', 'walk.glb', 'goblin.glb'),
  };
  const panels = PANELS.map(
    ({ motion, asked, role, why }, n) =>
      `<g transform="translate(0 ${n * PANEL + 8})">${drawPanel(motions[motion], asked, role, why)}</g>`,
  );
  const height = PANELS.length * PANEL + 16;
  writeFileSync(
    new URL('../../../docs/pictures/constraint-jerk.svg', import.meta.url),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12"><title>Jerk over time under six requests of constraints</title><rect width="${WIDTH}" height="${height}" fill="#fff"/>${panels.join('')}</svg>\n`,
  );
}
