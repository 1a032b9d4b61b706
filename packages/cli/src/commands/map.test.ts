import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { mapSchema } from '../../test/schemas.js';
import { nameOf, stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';

const folder = createFolder();
let source: string;
let target: string;
beforeAll(async () => {
  source = await folder.put('walk.bvh', stickFigureBvh());
  target = await folder.put('hero.gltf', stickFigureGltf());
});

async function mapJson(...argv: string[]) {
  const run = await runCommand('map', ...argv, '--json');
  expect(run.err).toBe('');
  return mapSchema.parse(JSON.parse(run.out));
}

describe('map', () => {
  it('pairs every body part, whatever it is called, and gives reasons for the rest', async () => {
    const map = await mapJson(source, target);
    expect(map.joints).toHaveLength(21);
    for (const { target: joint, sources, role } of map.joints) {
      expect(role).toBe(joint.name);
      expect(sources.at(-1)!.name).toBe(nameOf(joint.name, 'mixamo'));
    }
    expect(map.unmapped.target).toEqual([]);
    expect(map.unmapped.source.every(({ reason }) => reason.length > 0)).toBe(true);
    // The end sites of the capture.
    expect(map.unmapped.source).toHaveLength(5);
  });

  it('shows both sides, how sure and why', async () => {
    const { out, code } = await runCommand('map', source, target);
    expect(code).toBe(0);
    expect(out).toMatch(/└ mixamorig:LeftForeArm +→ [│├└ ]*└ leftLowerArm +leftLowerArm +\d+ % /);
    expect(out).toContain('not used of');
  });

  it('writes a map that gives the same map back', async () => {
    const path = folder.at('map.json');
    const { out } = await runCommand('map', source, target, '-o', path);
    expect(out).toContain(`wrote ${path}`);
    const found = await mapJson(source, target);
    const given = await mapJson(source, target, '--map', path);
    const pairs = ({ joints }: typeof found) => joints.map((pair) => [pair.target, pair.sources, pair.role]);
    expect(pairs(given)).toEqual(pairs(found));
    expect(given.unmapped).toEqual(found.unmapped);
  });

  it('changes one joint where one line is changed', async () => {
    const path = folder.at('edited.json');
    await runCommand('map', source, target, '-o', path);
    const before = await mapJson(source, target, '--map', path);
    const text = await readFile(path, 'utf8');
    const line = text.split('\n').find((each) => each.includes('"target": "leftHand"'))!;
    await folder.put('edited.json', text.replace(line, line.replace('LeftHand', 'LeftForeArm')));
    const after = await mapJson(source, target, '--map', path);
    const changed = after.joints.filter(
      (pair, i) => JSON.stringify(pair.sources) !== JSON.stringify(before.joints[i]!.sources),
    );
    expect(changed.map((pair) => pair.target.name)).toEqual(['leftHand']);
    expect(changed[0]!.sources.map(({ name }) => name)).toEqual(['mixamorig:LeftForeArm']);
  });

  it('leaves a joint alone where its line is taken out, and warns of a joint that is not there', async () => {
    const path = folder.at('short.json');
    await runCommand('map', source, target, '-o', path);
    const text = await readFile(path, 'utf8');
    const line = text.split('\n').find((each) => each.includes('"target": "neck"'))!;
    await folder.put(
      'short.json',
      text.replace(`${line}\n`, '').replace('mixamorig:Head"', 'mixamorig:Hed"'),
    );
    const map = await mapJson(source, target, '--map', path);
    expect(map.unmapped.target.map(({ name }) => name).sort()).toEqual(['head', 'neck']);
    expect(map.warnings.find(({ code }) => code === 'map-entry-ignored')?.message).toContain('mixamorig:Hed');
  });

  it('leaves an existing file as it is without --force, and never writes over what it reads', async () => {
    const path = await folder.put('old.json', 'precious');
    const refused = await runCommand('map', source, target, '-o', path);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(
      /^error: cannot write .*old\.json: it is there already \(--force replaces it\)\n$/,
    );
    expect(await readFile(path, 'utf8')).toBe('precious');
    expect((await runCommand('map', source, target, '-o', path, '--force')).code).toBe(0);
    expect(JSON.parse(await readFile(path, 'utf8')).version).toBe(1);
    expect((await runCommand('map', source, target, '-o', source, '--force')).code).toBe(2);
    expect(await readFile(source, 'utf8')).toBe(stickFigureBvh());
  });

  it('K1, K4: finds pairs over chains that are told, as retarget does', async () => {
    const chains = folder.at('chains.json');
    await runCommand('inspect', target, '--armature', chains);
    const armature = JSON.parse(await readFile(chains, 'utf8'));
    const arm = armature.chains.find(({ joints }: { joints: string[] }) => joints.includes('leftLowerArm'));
    arm.joints = arm.joints.slice(0, 2);
    await folder.put('chains.json', JSON.stringify(armature));
    const by = ['--matching', 'chains'];
    const pairs = ({ joints }: Awaited<ReturnType<typeof mapJson>>) =>
      joints.map((pair) => [pair.target.name, pair.sources.at(-1)!.name]);
    const plain = await mapJson(source, target, ...by);
    const told = await mapJson(source, target, ...by, '--armature-target', chains);
    expect(pairs(told)).not.toEqual(pairs(plain));
    expect(pairs(told).length).toBeLessThan(pairs(plain).length);
    const idle = await runCommand('map', source, target, '--branches', 'every');
    expect(idle.out + idle.err).toMatch(/branches has no effect/);
    const wrong = await runCommand('map', source, target, '--armature-target', source);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/it is no JSON/);
  });

  it('starts from the map of another tool, and writes it as ours', async () => {
    const out = folder.at('imported.json');
    const found = folder.at('found.json');
    await runCommand('map', source, target, '-o', found);
    const { joints } = JSON.parse(await readFile(found, 'utf8')) as {
      joints: { target: string; sources: string[] }[];
    };
    const [first, second] = joints as [(typeof joints)[0], (typeof joints)[0]];
    const bones = [first, second].map((pair) => ({
      SourceBoneName: pair.sources.at(-1),
      DestinationBoneName: pair.target,
    }));
    const other = await folder.put('other.json', JSON.stringify({ bones }));
    const { code } = await runCommand('map', source, target, '--import', other, '-o', out);
    expect(code).toBe(0);
    const written = JSON.parse(await readFile(out, 'utf8')) as { joints: { target: string }[] };
    expect(written.joints.map((each) => each.target)).toEqual([first.target, second.target]);
    const strange = { SourceBoneName: 'nobody', DestinationBoneName: 'nowhere' };
    const foreign = await folder.put('foreign.json', JSON.stringify({ bones: [strange] }));
    const none = await runCommand('map', source, target, '--import', foreign, '-o', folder.at('none.json'));
    expect(none.code).toBe(1);
    expect(none.err).toMatch(/cannot use .*foreign\.json: none of its joints are in/);
    await expect(readFile(folder.at('none.json'))).rejects.toThrow();
    const parts = await folder.put('foreign.tres', 'bone_map/Hips = &"nobody"\n');
    const unknown = await runCommand('map', source, target, '--import', parts);
    expect(unknown.code).toBe(1);
    expect(unknown.err).toMatch(/cannot use .*foreign\.tres: none of its joints are in/);
    const both = await runCommand('map', source, target, '--import', other, '--map', found);
    expect(both.code).toBe(2);
    expect(both.err).toContain('give one of the two');
  });
});
