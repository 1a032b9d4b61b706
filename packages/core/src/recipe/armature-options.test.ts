import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../test/stick-figure.js';
import { writeArmature } from '../body/chains/armature-document.js';
import { createArmature } from '../body/chains/create-armature.js';
import { createRig } from '../body/understand/create-rig.js';
import { LEG_JOINT_LIMITS } from '../passes/limit-joints.js';
import { optionsOfArmature } from './armature-options.js';

const { skeleton, clips, jointOf } = stickFigure();
const rig = createRig(skeleton, { clips });
const label = (part: string) => skeleton.names[jointOf(part)]!;

describe('optionsOfArmature', () => {
  it('K3, K28: gives each limb the solver of its chain, with its settings, and joints their limits', () => {
    const { axes: _, ...hinge } = LEG_JOINT_LIMITS.leftLowerLeg!;
    const armature = createArmature(skeleton);
    const chainWith = (part: string) => armature.chains.find(({ joints }) => joints.includes(jointOf(part)))!;
    chainWith('leftLowerArm').solver = { method: 'jacobian', variant: 'damped', maxIterations: 30 };
    chainWith('leftLowerLeg').enabled = false;
    armature.limits[jointOf('rightLowerLeg')] = hinge;
    const { options, warnings } = optionsOfArmature(writeArmature(armature, skeleton), rig);
    expect(warnings).toEqual([]);
    expect(options.solvers!.leftArm).toEqual({ solver: 'damped', maxIterations: 30 });
    expect(options.solvers).not.toHaveProperty('leftLeg');
    expect(options.limits).toEqual({ [label('rightLowerLeg')]: hinge });
  });

  it('K3: reads the older shape, whose chains are solved by CCD', () => {
    const chain = { Root: label('leftUpperArm'), EndEffector: label('leftHand') };
    const { options } = optionsOfArmature({ SkeletonStructure: { arm: chain } }, rig);
    expect(options).toEqual({ solvers: { leftArm: { solver: 'ccd' } } });
  });

  it('an armature of nothing says nothing, and joints that are not there are told of', () => {
    expect(optionsOfArmature({ version: 1, chains: [] }, rig).options).toEqual({});
    const lost = { SkeletonStructure: { tail: { Root: 'tail1', EndEffector: 'tail9' } } };
    expect(optionsOfArmature(lost, rig).warnings.map(({ code }) => code)).toEqual(['map-entry-ignored']);
  });
});
