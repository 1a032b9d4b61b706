import { describe, expect, it } from 'vitest';
import { importMap } from './import-map.js';

const read = (name: string, text: string) => importMap({ name, bytes: new TextEncoder().encode(text) });

describe('importMap', () => {
  it('pairs joints as Auto-Rig Pro does, and leaves out what drives nothing', () => {
    const text =
      'c_root_master.x%True%ABSOLUTE%0,0,0%0,0,0%1.0%False%%\nmixamorig:Hips\nFalse\nFalse\n\nNone%False%ABSOLUTE%0,0,0%0,0,0%1.0%False%%\nmixamorig:Neck\nFalse\nFalse\n\nc_foot_fk.l\nmixamorig:LeftFoot\nFalse\nFalse\n';
    expect(read('a.bmap', text).joints).toEqual([
      { target: 'c_root_master.x', sources: ['mixamorig:Hips'] },
      { target: 'c_foot_fk.l', sources: ['mixamorig:LeftFoot'] },
    ]);
  });

  it('pairs joints as KeeMap does', () => {
    const bones = [
      { SourceBoneName: 'Hips', DestinationBoneName: 'pelvis' },
      { SourceBoneName: '', DestinationBoneName: 'spine' },
    ];
    expect(read('a.json', JSON.stringify({ bones })).joints).toEqual([
      { target: 'pelvis', sources: ['Hips'] },
    ]);
  });

  it('takes body parts from Godot, Unity and HumanIK', () => {
    const roles = { hips: 'pelvis', leftUpperLeg: 'thigh_l' };
    expect(
      read(
        'a.tres',
        '[gd_resource type="BoneMap" format=3]\n\n[resource]\nbone_map/Hips = &"pelvis"\nbone_map/LeftUpperLeg = &"thigh_l"\nbone_map/Jaw = &""\n',
      ).roles,
    ).toEqual(roles);
    expect(
      read(
        'a.ht',
        '%YAML 1.1\nHumanTemplate:\n  m_BoneTemplate:\n    Hips: pelvis\n    LeftUpperLeg: thigh_l\n',
      ).roles,
    ).toEqual(roles);
    expect(
      read(
        'a.fbx.meta',
        'humanDescription:\n    human:\n    - boneName: pelvis\n      humanName: Hips\n      limit:\n        min: {x: 0}\n    - boneName: thigh_l\n      humanName: LeftUpperLeg\n    skeleton:\n    - name: pelvis\n',
      ).roles,
    ).toEqual(roles);
    expect(
      read(
        'a.xml',
        '<config_root><match_list><item key="Hips" value="pelvis"/><item key="LeftUpLeg" value="thigh_l"/><item key="RightHand" value=""/></match_list></config_root>',
      ).roles,
    ).toEqual(roles);
  });

  it('knows the thumb of Unity by the joint that only it has', () => {
    const text =
      'm_BoneTemplate:\n    Left Thumb Proximal: a\n    Left Thumb Intermediate: b\n    Left Thumb Distal: c\n';
    expect(read('a.ht', text).roles).toEqual({
      leftThumbMetacarpal: 'a',
      leftThumbProximal: 'b',
      leftThumbDistal: 'c',
    });
  });

  it('says what it knows where a file is none of them', () => {
    for (const [name, text] of [
      ['a.py', 'print()'],
      ['a.tres', '[gd_resource type="Theme"]'],
    ] as const)
      expect(() => read(name, text)).toThrow(/^cannot read a\.(py|tres) as a map of another tool: known are/);
    expect(() => read('a.json', '{}')).toThrow(/it has no list of bones/);
  });
});
