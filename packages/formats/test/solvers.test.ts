import {
  type ChainSolver,
  createArmature,
  createRig,
  createSkeletonChain,
  createSolver,
  loadChain,
  measureChain,
  modelPoseOf,
  quaternionAngle,
  quaternionFromAxisAngle,
  type Rig,
  type SolverChain,
  storeChain,
  turnChainJoint,
  updateChain,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeData, pathOf } from './data-files.js';

const CCD: Record<'backward' | 'forward', ChainSolver> = {
  backward: { method: 'ccd', sweep: 'backward' },
  forward: { method: 'ccd', sweep: 'forward' },
};
const JACOBIAN: Record<'transpose' | 'pseudoInverse' | 'damped', ChainSolver> = {
  transpose: { method: 'jacobian', variant: 'transpose' },
  pseudoInverse: { method: 'jacobian', variant: 'pseudoInverse' },
  damped: { method: 'jacobian', variant: 'damped' },
};
const FABRIK: ChainSolver = { method: 'fabrik' };

type Limb = { rig: Rig; joints: number[] };

async function rigOf(file: string): Promise<Rig> {
  const { skeleton, clips } = (await read(pathOf(file))).characters[0]!;
  return createRig(skeleton, { clips });
}

/** All joints from one to another below it. */
function path({ skeleton }: Rig, from: number, to: number): number[] {
  const joints = [to];
  while (joints[0]! > from) joints.unshift(skeleton.parents[joints[0]!]!);
  expect(joints[0]).toBe(from);
  return joints;
}

function chainOf({ rig, joints }: Limb): SolverChain {
  const link = createSkeletonChain(rig.skeleton, joints);
  loadChain(link, modelPoseOf(rig.skeleton, rig.reference.pose));
  return link.chain;
}

/** Points all around the effector, at a share of the chain's length from it, that are within reach. */
function goalsAround({ positions, length }: SolverChain, share: number): Float64Array[] {
  const e = positions.length - 3;
  const goals = Array.from({ length: 40 }, (_, k) => {
    // Fibonacci's sphere.
    const z = 1 - (2 * k + 1) / 40;
    const r = Math.sqrt(1 - z * z);
    const angle = k * Math.PI * (3 - Math.sqrt(5));
    return Float64Array.of(r * Math.cos(angle), r * Math.sin(angle), z).map(
      (x, c) => positions[e + c]! + share * length * x,
    );
  });
  return goals.filter(
    ([x, y, z]) => Math.hypot(x! - positions[0]!, y! - positions[1]!, z! - positions[2]!) < 0.95 * length,
  );
}

/** How a solver goes about goals at a distance: means over all of them. */
function characterOf(limb: Limb, solver: ChainSolver, share: number) {
  const goals = goalsAround(chainOf(limb), share);
  const sums = { met: 0, iterations: 0, turn: 0, first: 0, last: 0, largest: 0 };
  for (const position of goals) {
    const chain = chainOf(limb);
    const before = chain.rotations.slice();
    createSolver(chain, solver)({ position });
    const turns = limb.joints.map((_, i) => quaternionAngle(before, 4 * i, chain.rotations, 4 * i));
    const turn = turns.reduce((a, b) => a + b, 0);
    sums.met += chain.miss < 1e-3 * chain.length ? 1 : 0;
    sums.iterations += chain.iterations;
    sums.turn += turn;
    sums.first += turns[0]! / turn;
    sums.last += turns.at(-2)! / turn;
    sums.largest += Math.max(...turns) / turn;
  }
  for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] /= goals.length;
  return sums;
}

/** A body, the end of its left index finger, bodies that are moved by hand, and what solvers come to on the first. */
type Bodies = {
  file: string;
  tip: string;
  byHand: string[];
  /** The share of goals that the transpose meets, at least. */
  transposeMeets: number;
  /** The largest turn of a Jacobian's joints over that of FABRIK's, at most. */
  evenness: number;
};

describe('solvers on our own skeletons', () => {
  showCharacters({
    file: 'samples/characters/mixamo-guy.glb',
    tip: 'mixamorig:LeftHandIndex4',
    byHand: [
      'samples/characters/mixamo-guy.glb',
      'samples/characters/vrm-girl.vrm',
      'samples/captures/walk-cmu.bvh',
    ],
    transposeMeets: 0.6,
    evenness: 0.75,
  });
});

describeData('solvers on real skeletons (needs ../shared/data)', () => {
  showCharacters({
    file: 'misc/Geno.fbx',
    tip: 'LeftHandIndex4',
    byHand: ['rocketbox/Male_Adult_18.fbx', 'misc/mannequiny-0.3.0.glb', 'cmu/49_06.bvh'],
    transposeMeets: 0.8,
    evenness: 0.7,
  });
});

function showCharacters({ file: body, tip: tipName, byHand, transposeMeets, evenness }: Bodies): void {
  let person: Rig;
  let reach: Limb;
  let arm: Limb;
  let finger: Limb;
  beforeAll(async () => {
    person = await rigOf(body);
    const { spine, leftHand, leftUpperArm, leftIndexProximal } = person.joints;
    reach = { rig: person, joints: path(person, spine!, leftHand!) };
    arm = { rig: person, joints: path(person, leftUpperArm!, leftHand!) };
    const tip = person.skeleton.names.indexOf(tipName);
    finger = { rig: person, joints: path(person, leftIndexProximal!, tip) };
  });

  it('K29: CCD backward curls the tip, forward swings the root; the effector itself never turns', () => {
    const backward = characterOf(reach, CCD.backward, 0.05);
    const forward = characterOf(reach, CCD.forward, 0.05);
    expect([backward.met, forward.met]).toEqual([1, 1]);
    expect(backward.last).toBeGreaterThan(0.4);
    expect(backward.first).toBeLessThan(0.1);
    expect(forward.first).toBeGreaterThan(0.4);
    expect(forward.last).toBeLessThan(0.1);
    for (const solver of Object.values(CCD))
      for (const position of goalsAround(chainOf(reach), 0.2)) {
        const chain = chainOf(reach);
        const before = chain.rotations.slice(-4);
        createSolver(chain, solver)({ position });
        expect(quaternionAngle(before, 0, chain.rotations, chain.rotations.length - 4)).toBeLessThan(1e-15);
      }
  });

  it('K31: transpose, pseudo-inverse and damped go the same way, the first in ten times as many steps', () => {
    for (const share of [0.05, 0.2]) {
      const transpose = characterOf(reach, JACOBIAN.transpose, share);
      const exact = characterOf(reach, JACOBIAN.pseudoInverse, share);
      const damped = characterOf(reach, JACOBIAN.damped, share);
      expect([exact.met, damped.met]).toEqual([1, 1]);
      expect(transpose.met).toBeGreaterThan(transposeMeets);
      expect(Math.max(exact.iterations, damped.iterations)).toBeLessThan(4);
      expect(transpose.iterations).toBeGreaterThan(10 * damped.iterations);
      expect(Math.abs(transpose.turn / damped.turn - 1)).toBeLessThan(0.05);
      expect(Math.abs(exact.turn / damped.turn - 1)).toBeLessThan(0.05);
    }
  });

  it('K31: a goal out of reach is brought to the chain’s length, and no variant flails there', () => {
    for (const solver of Object.values(JACOBIAN)) {
      const chain = chainOf(arm);
      const { positions, length } = chain;
      const root = positions.slice(0, 3);
      const position = Float64Array.of(root[0]!, root[1]!, root[2]! + 3 * length);
      createSolver(chain, solver)({ position });
      const end = positions.slice(-3).map((x, c) => x - root[c]!);
      // Softened: full stretch is only reached by goals without end.
      expect(Math.hypot(...end) / length).toBeGreaterThan(0.98);
      expect(Math.hypot(...end) / length).toBeLessThanOrEqual(1);
      expect(end[2]! / Math.hypot(...end)).toBeGreaterThan(0.999);
    }
  });

  it('K32: Jacobians share a reach among all joints and turn them least; FABRIK reaches with some; CCD with one', () => {
    for (const share of [0.05, 0.2]) {
      const fabrik = characterOf(reach, FABRIK, share);
      const damped = characterOf(reach, JACOBIAN.damped, share);
      const ccd = characterOf(reach, CCD.backward, share);
      // The pose before is the style: what turns least in all and nowhere much keeps it.
      expect(damped.largest).toBeLessThan(evenness * fabrik.largest);
      expect(fabrik.largest).toBeLessThan(0.9 * ccd.largest);
      expect(damped.turn).toBeLessThan(0.6 * fabrik.turn);
      expect(damped.turn).toBeLessThan(0.6 * ccd.turn);
    }
  });

  it('K32: far goals cost a Jacobian more steps than near ones, and the transpose does not meet them all', () => {
    const near = characterOf(reach, JACOBIAN.damped, 0.05);
    const far = characterOf(reach, JACOBIAN.damped, 0.6);
    expect(far.iterations).toBeGreaterThan(1.5 * near.iterations);
    expect(characterOf(reach, JACOBIAN.transpose, 0.6).met).toBeLessThan(0.9);
    expect(far.met).toBe(1);
    expect(characterOf(reach, FABRIK, 0.6).met).toBe(1);
  });

  it('K34: one solve by hand moves one limb of a pose to a point, and nothing else', async () => {
    for (const file of byHand) {
      const rig = await rigOf(file);
      const { skeleton, joints } = rig;
      const limb = path(rig, joints.leftUpperArm!, joints.leftHand!);
      const pose = structuredClone(rig.reference.pose);
      const model = modelPoseOf(skeleton, pose);
      const at = (m: Float64Array, joint: number) => m.slice(16 * joint + 12, 16 * joint + 15);
      const [shoulder, hand] = [
        at(model.matrices, joints.leftUpperArm!),
        at(model.matrices, joints.leftHand!),
      ];
      // Ahead of the shoulder, at two thirds of the hand's distance.
      const position = shoulder.slice();
      position[2] = position[2]! + (2 / 3) * Math.hypot(...hand.map((x, c) => x - shoulder[c]!));
      const link = createSkeletonChain(skeleton, limb);
      loadChain(link, model);
      createSolver(link.chain, JACOBIAN.damped)({ position });
      storeChain(link, pose, model);
      const after = at(modelPoseOf(skeleton, pose).matrices, joints.leftHand!);
      expect(Math.hypot(...after.map((x, c) => x - position[c]!))).toBeLessThan(2e-4 * link.chain.length);
      const before = rig.reference.pose;
      skeleton.names.forEach((_, joint) => {
        const own = (q: Float64Array) => q.slice(4 * joint, 4 * joint + 4);
        if (!limb.includes(joint)) expect(own(pose.rotations)).toEqual(own(before.rotations));
      });
      expect(pose.translations).toEqual(before.translations);
    }
  });

  it('K34: every chain of an armature takes the same set-up, and meets a goal of its own', () => {
    const { skeleton } = person;
    const model = modelPoseOf(skeleton, person.reference.pose);
    const chains = createArmature(skeleton).chains.filter(({ joints }) => joints.length > 2);
    expect(chains.length).toBeGreaterThan(12);
    for (const { joints } of chains) {
      const link = createSkeletonChain(skeleton, joints);
      loadChain(link, model);
      const { chain } = link;
      // Half way back to the root, and aside.
      const position = chain.positions.slice(-3).map((x, c) => (x + chain.positions[c]!) / 2);
      position[2] = position[2]! + 0.3 * chain.length;
      createSolver(chain, JACOBIAN.damped)({ position });
      expect(chain.miss).toBeLessThan(1e-3 * chain.length);
    }
  });

  it('KP13: λ = 3 as printed leaves arms and fingers in metres far from their goals, and meets them in centimetres', () => {
    for (const [limb, least] of [
      [arm, 0.03],
      [finger, 0.1],
    ] as const) {
      const misses = [1, 100].map((unit) => missAsPrinted(limb, unit, 3));
      expect(misses[0]).toBeGreaterThan(least);
      expect(misses[1]).toBeLessThan(1e-3);
    }
    // Nor has the printed transpose a step size: what is small in metres is whole turns in centimetres.
    expect(missAsPrinted(arm, 100, 'transpose')).toBeGreaterThan(0.1);
  });

  it('KP13: ours needs the same few steps in metres, centimetres and kilometres, for arms and fingers', () => {
    for (const limb of [arm, finger, reach])
      for (const solver of Object.values(JACOBIAN)) {
        const runs = [1, 100, 1e-3].map((unit) => {
          const chain = inUnit(limb, unit);
          createSolver(chain, solver)({ position: nearby(chain) });
          return { steps: chain.iterations, miss: chain.miss / chain.length };
        });
        for (const { steps, miss } of runs) {
          expect(steps).toBe(runs[0]!.steps);
          expect(miss).toBeLessThan(1e-3);
          if (solver !== JACOBIAN.transpose) expect(steps).toBeLessThanOrEqual(10);
        }
      }
  });
}

/** The limb with lengths in another unit: 100 for centimetres. */
function inUnit(limb: Limb, unit: number): SolverChain {
  const chain = chainOf(limb);
  chain.offsets.forEach((x, i) => {
    chain.offsets[i] = unit * x;
  });
  measureChain(chain);
  updateChain(chain);
  return chain;
}

/** A goal between root and effector, a quarter of the length aside: an elbow of about a right angle. */
function nearby({ positions, length }: SolverChain): Float64Array {
  const e = positions.length - 3;
  return Float64Array.of(0, 0, 0.25 * length).map(
    (aside, c) => positions[c]! + 0.6 * (positions[e + c]! - positions[c]!) + aside,
  );
}

/**
 * What is left after 100 steps of the form that the paper's program has, as a share of the length: Δθ = Jᵀ(JJᵀ +
 * λ²)⁻¹e with λ in the file's unit, or Δθ = Jᵀe. The chain is bent a little first, since straight ones are singular.
 */
function missAsPrinted(limb: Limb, unit: number, lambda: number | 'transpose'): number {
  const chain = inUnit(limb, unit);
  const position = nearby(chain);
  const last = limb.joints.length - 1;
  const turn = new Float64Array(4);
  for (let i = 0; i < last; i++) {
    quaternionFromAxisAngle(turn, 0, Float64Array.of(0, 1, 0), 0, 0.3 * (i === 0 ? 1 : -1));
    turnChainJoint(chain, i, turn, 0);
    updateChain(chain, i + 1);
  }
  const { positions } = chain;
  const error = () => position.map((x, c) => x - positions[3 * last + c]!);
  for (let step = 0; step < 100 && Math.hypot(...error()) > 1e-6; step++) {
    const arms = Array.from({ length: last }, (_, i) =>
      positions.slice(3 * last).map((x, c) => x - positions[3 * i + c]!),
    );
    const pull = lambda === 'transpose' ? error() : dampedPull(arms, error(), lambda);
    for (let i = last - 1; i >= 0; i--) {
      const [r, f] = [arms[i]!, pull];
      const axis = Float64Array.of(
        r[1]! * f[2]! - r[2]! * f[1]!,
        r[2]! * f[0]! - r[0]! * f[2]!,
        r[0]! * f[1]! - r[1]! * f[0]!,
      );
      const angle = Math.hypot(...axis);
      if (angle < 1e-12) continue;
      quaternionFromAxisAngle(
        turn,
        0,
        axis.map((x) => x / angle),
        0,
        angle,
      );
      turnChainJoint(chain, i, turn, 0);
    }
    updateChain(chain);
  }
  return Math.hypot(...error()) / chain.length;
}

/** (Σ (|r|²·1 − r·rᵀ) + λ²·1)⁻¹ e, by conjugate gradients, which are exact after three steps. */
function dampedPull(arms: Float64Array[], error: Float64Array, lambda: number): Float64Array {
  const dot = (a: Float64Array, b: Float64Array) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const apply = (v: Float64Array) =>
    v.map((x, c) => arms.reduce((sum, r) => sum + dot(r, r) * x - dot(r, v) * r[c]!, lambda * lambda * x));
  const out = new Float64Array(3);
  let rest = error.slice();
  let along = error.slice();
  for (let k = 0; k < 6 && dot(rest, rest) > 1e-24 * dot(error, error); k++) {
    const image = apply(along);
    const size = dot(rest, rest) / dot(along, image);
    for (let c = 0; c < 3; c++) out[c] = out[c]! + size * along[c]!;
    const next = rest.map((x, c) => x - size * image[c]!);
    const share = dot(next, next) / dot(rest, rest);
    along = next.map((x, c) => x + share * along[c]!);
    rest = next;
  }
  return out;
}
