import { ROLES } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../../core/test/stick-figure.js';
import { mapScenes } from '../map-scenes.js';
import { exportMap } from './export-map.js';
import { importMap } from './import-map.js';

const mapping = mapScenes(
  sceneOf(stickFigure({ names: 'mixamo', fingers: true, toes: true })),
  sceneOf(stickFigure({ names: 'unreal', fingers: true, toes: true })),
);
const { target } = mapping;
const back = (name: string) =>
  importMap({ name, bytes: new TextEncoder().encode(exportMap(name, mapping)!) });
const roles = Object.fromEntries(
  ROLES.flatMap((role) => {
    const joint = target.joints[role];
    return joint === undefined ? [] : [[role, target.skeleton.names[joint]!]];
  }),
);

describe('exportMap', () => {
  it.each(['a.tres', 'a.ht', 'a.xml'])(
    'writes the parts of the target to %s as they are read back',
    (name) => {
      expect(Object.keys(roles).length).toBeGreaterThan(40);
      expect(back(name).roles).toEqual(roles);
    },
  );

  it.each(['avatar.fbx.meta', 'a.asset', 'a.bonemap', 'preset.PY'])(
    'writes nothing of ours to %s, which its tool would take for its own',
    (name) => {
      expect(() => exportMap(name, mapping)).toThrow(
        /are read, not written; .* \.tres, \.ht, \.xml, \.bmap, and \.json/,
      );
      expect(exportMap('a.json', mapping)).toBeNull();
    },
  );

  it('writes every part that Godot has, those without a joint empty', () => {
    const text = exportMap('a.tres', mapping)!;
    expect(text.match(/^bone_map\//gm)).toHaveLength(56);
    expect(text).toContain('bone_map/Jaw = &""');
  });

  it('writes who drives whom to a .bmap, with the hips as the root', () => {
    const { joints } = back('a.bmap');
    expect(joints).toHaveLength(mapping.map.joints.length);
    expect(joints).toContainEqual({ target: 'pelvis', sources: ['mixamorig:Hips'] });
    expect(exportMap('a.bmap', mapping)).toContain(
      'pelvis%True%ABSOLUTE%0.0,0.0,0.0%0.0,0.0,0.0%1.0%False%False%\nmixamorig:Hips\nTrue\nFalse\n\n',
    );
  });

  it('keeps names that mean something to a form', () => {
    const names = target.skeleton.names.map((name) => (name === 'pelvis' ? `a "b" & 'c': #d\\e` : name));
    const odd = { ...mapping, target: { ...target, skeleton: { ...target.skeleton, names } } };
    for (const name of ['a.tres', 'a.ht', 'a.xml']) {
      const bytes = new TextEncoder().encode(exportMap(name, odd)!);
      expect(importMap({ name, bytes }).roles!.hips).toBe(`a "b" & 'c': #d\\e`);
    }
    const broken = target.skeleton.names.map((name) => (name === 'pelvis' ? '50%' : name));
    expect(() =>
      exportMap('a.bmap', {
        ...mapping,
        target: { ...target, skeleton: { ...target.skeleton, names: broken } },
      }),
    ).toThrow(/a \.bmap cannot hold "50%"/);
  });

  it('leaves other files alone', () => {
    expect(exportMap('a.json', mapping)).toBeNull();
  });
});
