import { readFileSync } from 'node:fs';
import {
  chooseCharacter,
  copyPose,
  createRig,
  createSkeletonChain,
  createSolver,
  dotVectors,
  goalsOf,
  loadChain,
  modelPoseOf,
  type Pose,
  retarget,
  rotateVector,
  type Scene,
  type Skeleton,
  sampleClip,
  setUpScenes,
  storeChain,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATA_FOLDER, hasData, pathOf, present } from './data-files.js';

const AXES: Record<string, Vec3> = {
  '+Y': [0, 1, 0],
  '-Y': [0, -1, 0],
  '+Z': [0, 0, 1],
  '-Z': [0, 0, -1],
};

/** Our own humanoids: where they face and which way is up in their files. */
const OURS: [string, string, string][] = [
  ['samples/characters/mixamo-guy.glb', '+Z', '+Y'],
  ['samples/characters/goblin.glb', '-Z', '+Y'],
  ['samples/characters/vrm0-sister.vrm', '-Z', '+Y'],
  ['samples/characters/vrm1-sister.vrm', '+Z', '+Y'],
  ['samples/characters/knight.glb', '+Z', '+Y'],
  ['samples/characters/baker.glb', '+Z', '+Y'],
  ['samples/characters/alien.glb', '+Z', '+Y'],
  ['samples/formats/child-greeting.fbx', '-Y', '+Z'],
  ['samples/formats/guy-walk.fbx', '+Z', '+Y'],
  ['samples/captures/walk-smpl.bvh', '-Y', '+Z'],
  ['samples/captures/walk-lafan1.bvh', '+Z', '+Y'],
  ['samples/captures/crawl-cmu.bvh', '+Z', '+Y'],
];

/** And those of the catalogue, with the facing that a person gave them. */
const labels: [string, string, string][] = hasData
  ? Object.entries(
      JSON.parse(readFileSync(`${DATA_FOLDER}roles.json`, 'utf8')) as Record<
        string,
        { kind: string; facing: string; up: string }
      >,
    )
      .filter(([file, { kind, facing }]) => kind === 'humanoid' && facing in AXES && !/broken/.test(file))
      .map(([file, { facing, up }]): [string, string, string] => [file, facing, up])
      .concat(OURS)
  : OURS;

describe('where bodies face and knees bend', () => {
  let source: Scene;
  beforeAll(async () => {
    source = await read(pathOf('samples/motions/pick-up.glb'));
  });

  it('W22: every humanoid of the catalogue faces where a person says; VRM 0.x towards −Z', async () => {
    expect(labels.length).toBeGreaterThan(hasData ? 50 : 10);
    const wrong: string[] = [];
    let behind = 0;
    for (const [file, facing, up] of labels) {
      const scene = await read(pathOf(file));
      const { skeleton, clips } = scene.characters[chooseCharacter(scene).character]!;
      const { space } = createRig(skeleton, { clips });
      // A body in mid-step may be read a few degrees off.
      if (dotVectors(space.facing.direction, AXES[facing]!) < 0.9)
        wrong.push(`${file}: ${space.facing.direction}`);
      if (dotVectors(space.up.direction, AXES[up]!) < 0.9) wrong.push(`${file}: up ${space.up.direction}`);
      if (facing === '-Z') behind++;
    }
    expect(wrong).toEqual([]);
    expect(behind).toBeGreaterThanOrEqual(hasData ? 6 : 2);
  });

  it.each(
    present([
      'samples/characters/vrm0-sister.vrm',
      'samples/characters/goblin.glb',
      'samples/characters/baker.glb',
      'samples/characters/alien.glb',
      'samples/formats/child-greeting.fbx',
      'samples/captures/walk-smpl.bvh',
      '100avatars/100Avatars_003_Jimmy.vrm',
      'vrm/EmissionMigration_v0.107.0.vrm',
      'vrm/basic_armature_vrm1.vrm',
      'misc/Geno.fbx',
      'rocketbox/Male_Adult_18.fbx',
      'khronos/CesiumMan.glb',
      'makehuman/tpose.bvh',
      'ufbx/maya_human_ik_7400_binary.fbx',
    ]),
  )(
    'W22: knees of %s bend to where it faces, in a crouch and where a straight leg is shortened',
    async (file) => {
      const target = await read(pathOf(file));
      const options = { corrections: 'auto' } as const;
      const { setup } = setUpScenes(source, target, options);
      const { clips } = retarget(source, target, { ...options, measure: false });
      const { skeleton, space } = setup.target;
      const facing = AXES[labels.find(([name]) => name === file)![1]]!;
      const pose = copyPose(skeleton.rest);
      // Low over the box.
      sampleClip(pose, clips[0]!, 1.25);
      const legs = goalsOf(setup)!.limbs.filter(({ kind }) => kind === 'leg');
      expect(legs).toHaveLength(2);
      for (const leg of legs) {
        const { upper, middle, end } = leg.target;
        // By the file's unit, in its own axes: the container would turn all bodies the same way.
        const ahead = (of: Pose) =>
          (dotVectors(kneeOf({ ...skeleton, container: UNMOVED }, of, leg.target), facing) *
            space.unit.metres) /
          leg.length;
        expect(ahead(pose)).toBeGreaterThan(0.1);
        const { pose: stood, model } = setup.alignment;
        const lifted = copyPose(stood);
        const link = createSkeletonChain(skeleton, [upper, middle, end]);
        loadChain(link, model);
        link.chain.straightBend = new Float64Array(3);
        rotateVector(link.chain.straightBend, 0, model.rotations, 4 * upper, leg.bend, 0);
        const position = link.chain.positions.slice(-3);
        position[1] = position[1]! + 0.3 * leg.length;
        createSolver(link.chain, { method: 'twoBone' })({ position });
        storeChain(link, lifted, model);
        expect(ahead(lifted)).toBeGreaterThan(ahead(stood) + 0.1);
      }
    },
  );
});

/** From the line between hip and ankle to the knee, in model space. */
function kneeOf(skeleton: Skeleton, pose: Pose, leg: { upper: number; middle: number; end: number }): Vec3 {
  const { matrices } = modelPoseOf(skeleton, pose);
  const [hip, knee, ankle] = [leg.upper, leg.middle, leg.end].map((joint) =>
    vectorAt(matrices, 16 * joint + 12),
  ) as [Vec3, Vec3, Vec3];
  const line = subtractVectors(ankle, hip);
  const along = dotVectors(subtractVectors(knee, hip), line) / vectorLength(line) ** 2;
  return subtractVectors(knee, hip.map((x, c) => x + along * line[c]!) as Vec3);
}

const UNMOVED = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
