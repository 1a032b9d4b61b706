import { describe, expect, it } from 'vitest';
import { importMap, type MapJoints } from './import-map.js';

const read = (name: string, text: string, joints?: MapJoints) =>
  importMap({ name, bytes: new TextEncoder().encode(text) }, joints);

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

  it('takes body parts from a preset of Expy Kit, which is read and never run', () => {
    const text = [
      'import bpy',
      'skeleton = bpy.context.object.data.expykit_retarget',
      'skeleton.face.super_copy = False',
      "skeleton.spine.hips = 'pelvis'",
      "skeleton.spine.spine = 'spine_01'",
      'skeleton.spine.spine1 = "spine_02"',
      "skeleton.spine.spine2 = 'spine_03'",
      "skeleton.left_arm.arm = 'upperarm_l'",
      "skeleton.left_arm_ik.arm = 'ik_l'",
      "skeleton.left_fingers.thumb.a = 'thumb_01_l'",
      "skeleton.left_fingers.pinky.c = 'pinky_03_l'",
      "skeleton.right_leg.toe = 'ball\\'s_r'",
      "skeleton.right_leg.foot = ''",
      '__import__("os").remove("x")',
    ].join('\n');
    expect(read('a.py', text).roles).toEqual({
      hips: 'pelvis',
      spine: 'spine_01',
      chest: 'spine_02',
      upperChest: 'spine_03',
      leftUpperArm: 'upperarm_l',
      leftThumbMetacarpal: 'thumb_01_l',
      leftLittleDistal: 'pinky_03_l',
      rightToes: "ball's_r",
    });
  });

  it('looks up the names that Rokoko lists among the joints of both files', () => {
    const text = JSON.stringify({
      rokoko_custom_names: true,
      version: 1,
      bones: { hip: ['mixamorig:hips', 'pelvis'], spine: ['spine_01', 'spine_02'], leftUpLeg: ['thigh_l'] },
      shapes: {},
    });
    const joints = {
      source: ['mixamorig:Hips', 'mixamorig:Spine'],
      target: ['Pelvis', 'Spine_01', 'Spine_02', 'Thigh_L'],
    };
    expect(read('a.json', text, joints)).toEqual({
      version: 1,
      changes: [{ target: 'Pelvis', sources: ['mixamorig:Hips'], role: 'hips' }],
      roles: { leftUpperLeg: 'Thigh_L' },
    });
  });

  it('pairs joints as QtMeshEditor does', () => {
    const text = JSON.stringify({
      schema: 'qtmesh-bonemap-v1',
      name: 'a',
      pairs: [{ source: 'mixamorig:Hips', target: 'pelvis' }],
    });
    expect(read('a.bonemap', text).joints).toEqual([{ target: 'pelvis', sources: ['mixamorig:Hips'] }]);
  });

  it('reads fingers, spines and odd names of HumanIK, and what assets of Unity quote', () => {
    const item = (key: string, value: string) => `<item key="${key}" value="${value}"/>`;
    const xml = [
      ...[item('Spine', 'a'), item('Spine1', 'b'), item('Spine2', 'c'), item('Spine3', 'd')],
      ...[item('LeftHandThumb1', 't &amp; u'), item('RightHandPinky2', 'p')],
    ].join('');
    expect(read('a.xml', xml).roles).toEqual({
      ...{
        spine: 'a',
        chest: 'b',
        upperChest: 'd',
        leftThumbMetacarpal: 't & u',
        rightLittleIntermediate: 'p',
      },
    });
    const asset = "  - m_BoneName: 'it''s: odd'\n    m_HumanName: Hips\n";
    expect(read('a.asset', asset).roles).toEqual({ hips: "it's: odd" });
  });

  it('reads letters that Unity, Godot, Python and XML write by their numbers', () => {
    const roles = { hips: '腰.é', leftHand: '😀 hand' };
    const ht = 'm_BoneTemplate:\n    Hips: "\\u8170.\\xE9"\n    LeftHand: "\\U0001F600 hand"\n';
    expect(read('a.ht', ht).roles).toEqual(roles);
    const meta =
      '    - boneName: "\\u8170.\\xE9"\n      humanName: Hips\n    - boneName: "\\uD83D\\uDE00 hand"\n      humanName: LeftHand\n';
    expect(read('a.fbx.meta', meta).roles).toEqual(roles);
    const tres = 'bone_map/Hips = &"\\u8170.é"\nbone_map/LeftHand = &"\\U0001F600 hand"\n';
    expect(read('a.tres', tres).roles).toEqual(roles);
    const py = "skeleton.spine.hips = '\\u8170.\\xe9'\nskeleton.left_arm.hand = '\\U0001f600 hand'\n";
    expect(read('a.py', py).roles).toEqual(roles);
    const xml =
      '<item key="Hips" value="&#x8170;.&#233;"/><item key="LeftHand" value="&#x1F600; hand"/><item key="Head" value="&#xFFFFFF;"/>';
    expect(read('a.xml', xml).roles).toEqual({ ...roles, head: '&#xFFFFFF;' });
  });

  it.each(['\n', '\r\n', '\r'])(
    'reads files with lines that end by %j, odd spaces and a mark at their start',
    (end) => {
      const readLines = (name: string, ...lines: string[]) => read(name, `\ufeff${lines.join(end)}${end}`);
      const roles = { hips: 'pelvis', leftUpperLeg: 'thigh l' };
      expect(
        readLines(
          'a.tres',
          '[resource]',
          'bone_map/Hips=&"pelvis" ',
          '  bone_map/LeftUpperLeg  =  "thigh l"\t',
        ).roles,
      ).toEqual(roles);
      expect(
        readLines(
          'a.ht',
          '  m_BoneTemplate: ',
          '    Hips:  pelvis ',
          '    Spine: ',
          '    LeftUpperLeg: thigh l',
        ).roles,
      ).toEqual(roles);
      expect(
        readLines(
          'a.meta',
          ...[
            '    - boneName: ',
            '      humanName: Spine',
            '    - boneName: pelvis  ',
            '      humanName:  Hips ',
          ],
          ...['    - boneName:  thigh l', '      humanName: LeftUpperLeg'],
        ).roles,
      ).toEqual(roles);
      expect(
        readLines(
          'a.xml',
          ...[
            '<config_root>',
            "\t<item  value='pelvis'",
            "  key = 'Hips' />",
            '\t<!-- <item key="Head" value="no"/> -->',
          ],
          ...['\t<item key="LeftUpLeg" value="thigh l"></item>', '</config_root>'],
        ).roles,
      ).toEqual(roles);
      expect(
        readLines(
          'a.py',
          "skeleton.spine.hips='pelvis'  # the pelvis",
          '\tskeleton.left_leg.upleg = "thigh l"',
        ).roles,
      ).toEqual(roles);
      const joints = [
        { target: 'pelvis', sources: ['Hips'] },
        { target: 'thigh l', sources: ['Left Leg'] },
      ];
      // The older form has no settings behind the name.
      expect(
        readLines(
          'a.bmap',
          'pelvis%True%',
          'Hips ',
          'True',
          'False',
          '  ',
          'thigh l',
          ' Left Leg',
          'False',
          'False',
        ).joints,
      ).toEqual(joints);
      expect(
        readLines(
          'a.bmap',
          'pelvis%True%',
          'Hips',
          'True',
          'False',
          'thigh l%False%',
          'Left Leg',
          'False',
          'False',
        ).joints,
      ).toEqual(joints);
      expect(
        readLines('a.json', '{"bones": [', '{"SourceBoneName": "Hips", "DestinationBoneName": "pelvis"}]}')
          .joints,
      ).toEqual(joints.slice(0, 1));
    },
  );

  it('takes fingers and the chest of Rokoko as parts where one file alone has their names', () => {
    const text = JSON.stringify({
      rokoko_custom_names: true,
      bones: { chest: ['brust'], leftThumbMedial: ['daumen2'], rightLittleDistal: ['klein3'] },
    });
    const joints = { source: ['Brust', 'Daumen2', 'Klein3'], target: [] };
    expect(read('a.json', text, joints).roles).toEqual({
      ...{ chest: 'Brust', leftThumbProximal: 'Daumen2', rightLittleDistal: 'Klein3' },
    });
  });

  it('knows the thumb of Unity, whose joints are called otherwise', () => {
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
      expect(() => read(name, text)).toThrow(
        /^cannot read a\.(py|tres) as a map of another tool: nothing in it names/,
      );
    expect(() => read('a.txt', 'hips')).toThrow(/^cannot read a\.txt as a map of another tool: known are/);
    expect(() => read('a.json', '{}')).toThrow(/it has no list of bones/);
    expect(() => read('a.json', '{"version":1,"joints":[]}')).toThrow(/a map of ours, which --map takes/);
  });
});
