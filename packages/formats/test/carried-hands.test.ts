import { type Contact, findLoopContacts, retarget, type Scene, setUpScenes } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.js';

const sample = (name: string) => read(new URL(`../../../samples/files/${name}`, import.meta.url).pathname);

/** Moves the first clip of one scene onto another, and gives what is measured of it. */
function moved(source: Scene, target: Scene, contacts?: readonly Contact[]) {
  const { name } = source.characters[0]!.clips[0]!;
  const told = contacts && { contacts: { [name]: contacts } };
  const { report } = retarget(source, target, { corrections: 'auto', ...told });
  return { motion: report.measures[0]!.motion, contacts: report.clips[0]!.contacts ?? [] };
}

describe('two hands on one thing', () => {
  it.each(['alien.glb', 'child.glb', 'vrm-girl.vrm'])(
    '%s holds a box as wide as the body is large',
    async (body) => {
      const source = await sample('motions/carry-box.glb');
      const target = await sample(`characters/${body}`);
      const { motion, contacts } = moved(source, target);
      expect(motion.carriedHands!.result.worst).toBeLessThan(1);
      expect(motion.carriedHands!.scaled.worst).toBeLessThan(5);
      expect(contacts.filter(({ on }) => on === 'carried')).toHaveLength(1);
    },
  );

  it('is found, edited and taken back: a wider box is held wider, and nothing leaves arms alone', async () => {
    const source = await sample('motions/carry-box.glb');
    const target = await sample('characters/alien.glb');
    const [clip] = source.characters[0]!.clips;
    const { setup } = setUpScenes(source, target, {});
    const found = findLoopContacts(setup.source, clip!);
    const carry = found.find(({ on }) => on === 'carried')!;
    expect(carry).toMatchObject({ point: 'hands', start: 0 });
    const told = (apart: number) =>
      moved(
        source,
        target,
        found.map((each) => (each.on ? { ...each, apart } : each)),
      ).motion.carriedHands!;
    expect(told(carry.apart!).scaled.worst).toBeLessThan(1);
    expect(told(1.05 * carry.apart!).scaled.mean).toBeCloseTo(5, 0);
    const alone = moved(
      source,
      target,
      found.map((each) => (each.on ? { ...each, on: 'nothing' as const } : each)),
    ).motion.carriedHands!;
    expect(alone.scaled.mean).toBeGreaterThan(20);
  });

  it('hands that clap touch each other in the document, and no more where that is taken out', async () => {
    const source = await sample('motions/clap.glb');
    const target = await sample('characters/alien.glb');
    const whole = moved(source, target);
    expect(whole.contacts.filter(({ on }) => on === 'otherHand').length).toBeGreaterThan(0);
    const apart = moved(
      source,
      target,
      whole.contacts.map((each) => (each.on ? { ...each, on: 'nothing' as const } : each)),
    );
    expect(whole.motion.selfContact!.result.mean).toBeLessThan(2);
    expect(apart.motion.selfContact!.result.mean).toBeGreaterThan(2 * whole.motion.selfContact!.result.mean);
  });

  it.each([
    ['alien.glb', 1.5],
    ['vrm-girl.vrm', 1.5],
    ['baker.glb', 2.5],
    ['unreal-mannequin.glb', 1.5],
  ])(
    'P1: palms laid on each other lie on each other on %s through a bow, and no wrist wanders',
    async (body, most) => {
      const { motion, contacts } = moved(
        await sample('motions/pray.glb'),
        await sample(`characters/${body}`),
      );
      expect(contacts.filter(({ on }) => on === 'otherArm').length).toBeGreaterThan(0);
      expect(motion.selfContact!.result.mean).toBeLessThan(most);
      expect(motion.smoothness!.jerkRatio).toBeLessThan(1.15);
      expect(motion.pops!.count).toBe(0);
      // There is nothing between them that could be carried.
      expect(contacts.filter(({ on }) => on === 'carried')).toHaveLength(0);
      expect(motion.carriedHands).toBeNull();
    },
  );

  it('two fists keep their places on one grip', async () => {
    const source = await sample('motions/sword-strike.glb');
    for (const body of ['alien.glb', 'vrm-girl.vrm', 'knight.glb', 'baker.glb']) {
      const { motion } = moved(source, await sample(`characters/${body}`));
      expect(motion.carriedHands!.result.worst, body).toBeLessThan(1);
      expect(motion.pops!.count, body).toBe(0);
    }
  });
});
