import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readHierarchy } from '../../../test/read-hierarchy.js';
import { DATA_FOLDER } from '../../../test/real-data.js';
import { sketchSkeleton } from '../../../test/sketch-skeleton.js';
import { createSkeleton, JOINT, type Skeleton } from '../../scene/skeleton.js';
import { isRole } from '../roles.js';
import { guessRoles } from './guess-roles.js';

const labelsFile = `${DATA_FOLDER}roles.json`;

type Label = {
  kind: string;
  note: string;
  roles: Record<string, { name: string; index: number | null }>;
};

/** Roles that the notes of the labels call equally right, as `role=joint`. */
function equallyRight(note: string): Set<string> {
  const right = new Set<string>();
  for (const [, alternatives] of note.matchAll(/\(alt: ([^)]*)\)/g)) {
    let role = '';
    for (const entry of alternatives!.split(/, | or /)) {
      const [left, joint] = entry.split('=');
      if (joint !== undefined) role = left!;
      right.add(`${role}=${joint ?? left}`);
      // A note that names roles only speaks of a joint it has left out: the thumb of CMU, the one leg.
      if (isRole(entry)) right.add(`${entry}=LeftLeg`);
      if (entry.startsWith('Thumb')) right.add(`left${entry}=LThumb`).add(`right${entry}=RThumb`);
    }
  }
  return right;
}

describe.skipIf(!existsSync(labelsFile))('guessRoles on real files (needs ../shared/data)', () => {
  const labels = existsSync(labelsFile)
    ? (JSON.parse(readFileSync(labelsFile, 'utf8')) as Record<string, Label>)
    : {};
  for (const [file, label] of Object.entries(labels)) {
    const isHuman = label.kind === 'humanoid' || label.kind === 'hand' || file === 'misc/alien.bvh';
    it(isHuman ? `W7, W9: ${file}, every role as labelled` : `W4: ${file}, no role`, () => {
      const skeleton = readHierarchy(`${DATA_FOLDER}${file}`);
      const { guesses, family } = guessRoles(skeleton);
      const alternatives = equallyRight(label.note);
      const wrong: string[] = [];
      const expected = isHuman ? label.roles : {};
      const found = new Map<string, number>();
      guesses.forEach(({ role }, joint) => {
        if (!role) return;
        found.set(role, joint);
        const name = skeleton.names[joint]!;
        const entry = expected[role];
        const agrees =
          entry?.name === name && (entry.index === null || entry.index === skeleton.fileIndices[joint]);
        if (!agrees && !alternatives.has(`${role}=${name}`))
          wrong.push(`${role}: ${name} (labelled ${entry?.name ?? 'nothing'})`);
      });
      for (const role of Object.keys(expected))
        if (!found.has(role)) wrong.push(`${role}: nothing (labelled ${expected[role]!.name})`);
      expect(wrong, `${family}; ${label.note}`).toEqual([]);
    });
  }
});

describe('guessRoles', () => {
  const body = `
Hips
  Spine > Spine1 > Spine2
    Neck > Head
    ~Shoulder > ~Arm > ~ForeArm > ~Hand
  ~UpLeg > ~Leg > ~Foot > ~ToeBase`;
  const sides = ['Left', 'Right'] as const;

  /** Role to joint name. */
  const rolesOf = (skeleton: Skeleton): Record<string, string> =>
    Object.fromEntries(
      guessRoles(skeleton).guesses.flatMap(({ role }, joint) =>
        role ? [[role, skeleton.names[joint]!]] : [],
      ),
    );
  const jointOf = (skeleton: Skeleton, name: string) => skeleton.names.indexOf(name);

  describe('bad input', () => {
    it('no joints: no guesses and one warning', () => {
      const { guesses, family, warnings } = guessRoles(createSkeleton('nothing', []).skeleton);
      expect(guesses).toEqual([]);
      expect(family).toBeNull();
      expect(warnings.map(({ code }) => code)).toEqual(['roles-incomplete']);
    });

    it('empty, blank, odd and inherited names mean nothing', () => {
      const names = [
        '',
        ' ',
        '左',
        'l',
        'R',
        '__proto__',
        'constructor',
        'hasOwnProperty',
        '...',
        '🦊',
        '\n',
        ':',
        '|',
        '_l',
      ];
      const { guesses, family } = guessRoles(
        createSkeleton(
          'odd',
          names.map((name, i) => ({ name, parent: i - 1 })),
        ).skeleton,
      );
      expect(guesses.map(({ role }) => role)).toEqual(names.map(() => null));
      expect(family).toBeNull();
    });

    it('names made to be slow, and long ones, come to an end, and mean nothing', () => {
      const slow = [
        '_l'.repeat(5000),
        '_L_\n'.repeat(5000),
        'left'.repeat(5000),
        ' '.repeat(20000),
        'mixamorig'.repeat(5000),
      ];
      const skeleton = createSkeleton(
        'slow',
        Array.from({ length: 500 }, (_, i) => ({ name: `${slow[i % slow.length]}${i}`, parent: i - 1 })),
      ).skeleton;
      // Backtracking over one of them would take longer than any test may.
      expect(guessRoles(skeleton).family).toBeNull();
    });

    it('transforms that are not finite do not change what names say', () => {
      const skeleton = sketchSkeleton(`${body}\n  Tail1 > Tail2`, sides);
      skeleton.rest.translations.fill(Number.NaN);
      expect(rolesOf(skeleton).leftHand).toBe('LeftHand');
    });

    it('metadata that names no role or no joint is passed over', () => {
      const skeleton = sketchSkeleton(body, sides);
      skeleton.metadataRoles = { hips: 999, spine: -1, chest: Number.NaN, elbow: 3, head: 0.5 };
      expect(rolesOf(skeleton)).toEqual(rolesOf(sketchSkeleton(body, sides)));
    });
  });

  it('W6: the file’s own word comes first, with certainty, and names add what it leaves out', () => {
    const skeleton = sketchSkeleton(body, sides);
    skeleton.metadataRoles = {
      hips: jointOf(skeleton, 'Hips'),
      spine: jointOf(skeleton, 'Spine'),
      chest: jointOf(skeleton, 'Spine2'),
      leftUpperArm: jointOf(skeleton, 'LeftShoulder'),
    };
    const { guesses, family } = guessRoles(skeleton);
    expect(family).toBe('VRM humanoid');
    expect(guesses[jointOf(skeleton, 'Spine2')]).toMatchObject({ role: 'chest', confidence: 1 });
    expect(guesses[jointOf(skeleton, 'LeftShoulder')]).toMatchObject({ role: 'leftUpperArm', confidence: 1 });
    expect(guesses[jointOf(skeleton, 'RightArm')]!.role).toBe('rightUpperArm');
    expect(guesses[jointOf(skeleton, 'RightArm')]!.confidence).toBeLessThan(1);
    // The torso is the file's: the names' upper chest is not added to it.
    expect(guesses.some(({ role }) => role === 'upperChest')).toBe(false);
  });

  it('R20, WP7: every state of the mixamorig prefix gives the same roles', () => {
    const expected = Object.values(rolesOf(sketchSkeleton(body, sides)));
    for (const prefix of [
      'mixamorig:',
      'mixamorig',
      'mixamorig1:',
      'mixamorig9_',
      'mixamorig_',
      'Armature_mixamorig:',
      'Armature|mixamorig:',
      '',
    ]) {
      const skeleton = sketchSkeleton(body, sides, (name) => prefix + name);
      expect(Object.values(rolesOf(skeleton)), prefix).toEqual(expected.map((name) => prefix + name));
      expect(guessRoles(skeleton).family, prefix).toBe(prefix === '' ? 'HumanIK' : 'Mixamo');
    }
    // Two that no share of the joints has in common, as merged files have them.
    let n = 0;
    const mixed = sketchSkeleton(body, sides, (name) => `mixamorig${n++ % 2}_${name}`);
    expect(Object.values(rolesOf(mixed)).map((name) => name!.replace(/^mixamorig\d_/, ''))).toEqual(expected);
    expect(guessRoles(mixed).family).toBe('Mixamo');
  });

  it('one word, two meanings: the family decides', () => {
    const joints = sketchSkeleton(
      `
Hips
  Chest
    Neck > Head
    ~Collar > ~Shoulder > ~Elbow > ~Wrist
  ~Hip > ~Knee > ~Ankle`,
      sides,
    );
    expect(rolesOf(joints).leftUpperArm).toBe('LeftShoulder');
    expect(rolesOf(sketchSkeleton(body, sides)).leftShoulder).toBe('LeftShoulder');
  });

  describe('torso by hierarchy', () => {
    const torso = (spine: string) => {
      const {
        hips,
        spine: low,
        chest,
        upperChest,
        neck,
      } = rolesOf(sketchSkeleton(body.replace('Spine > Spine1 > Spine2', spine), sides));
      return [hips, low, chest, upperChest, neck];
    };
    it('one, two, three, four and five joints', () => {
      expect(torso('Spine')).toEqual(['Hips', 'Spine', undefined, undefined, 'Neck']);
      expect(torso('Spine > Spine1')).toEqual(['Hips', 'Spine', 'Spine1', undefined, 'Neck']);
      expect(torso('Spine > Spine1 > Spine2')).toEqual(['Hips', 'Spine', 'Spine1', 'Spine2', 'Neck']);
      expect(torso('Spine > Spine1 > Spine2 > Spine3')).toEqual([
        'Hips',
        'Spine',
        undefined,
        'Spine3',
        'Neck',
      ]);
      expect(torso('Spine > Spine1 > Spine2 > Spine3 > Spine4')).toEqual([
        'Hips',
        'Spine',
        undefined,
        'Spine4',
        'Neck',
      ]);
    });
    it('numbers that run downwards change nothing', () => {
      expect(torso('Spine2 > Spine1 > Spine')).toEqual(['Hips', 'Spine2', 'Spine1', 'Spine', 'Neck']);
    });
    it('hips that carry the legs only give way to the joint that carries both', () => {
      const skeleton = sketchSkeleton(
        `
Center
  Spine > Spine1
    Neck > Head
    ~Shoulder > ~Arm > ~ForeArm > ~Hand
  Hips
    ~UpLeg > ~Leg > ~Foot`,
        sides,
      );
      expect(rolesOf(skeleton).hips).toBe('Center');
    });
  });

  describe('two joints with one name', () => {
    it('the one that hangs where the body part would plays the role', () => {
      const skeleton = sketchSkeleton(
        `LeftHand\n${body.trim()}\nProps\n  LeftHand > LeftHandProp\n  Head`,
        sides,
      );
      const { guesses } = guessRoles(skeleton);
      const hand = guesses.findIndex(({ role }) => role === 'leftHand');
      expect(skeleton.names[skeleton.parents[hand]!]).toBe('LeftForeArm');
      expect(skeleton.names[skeleton.parents[guesses.findIndex(({ role }) => role === 'head')]!]).toBe(
        'Neck',
      );
    });
    it('a joint comes before the mesh that hangs on it', () => {
      const skeleton = sketchSkeleton(body.replace('Neck > Head', 'Neck > Head > Head'), sides);
      const inner = skeleton.names.lastIndexOf('Head');
      skeleton.flags[inner] = 0;
      expect(guessRoles(skeleton).guesses[inner]!.role).toBeNull();
      skeleton.flags.fill(0);
      skeleton.flags[inner] = JOINT;
      expect(guessRoles(skeleton).guesses[inner]!.role).toBe('head');
    });
    it('no role is given twice, and no joint has two', () => {
      const skeleton = sketchSkeleton(
        `Crowd\n${body.trim().replace(/^/gm, '  ')}\n${body.trim().replace(/^/gm, '  ')}`,
        sides,
      );
      const roles = guessRoles(skeleton).guesses.flatMap(({ role }) => role ?? []);
      expect(new Set(roles).size).toBe(roles.length);
      expect(roles.length).toBe(Object.keys(rolesOf(sketchSkeleton(body, sides))).length);
    });
  });

  it('feet that hang under the root are feet, less surely', () => {
    const skeleton = sketchSkeleton(
      `
Root
  Body
    Hips > Abdomen > Torso
      Neck > Head
      Shoulder.~ > UpperArm.~ > LowerArm.~ > Palm.~
    UpperLeg.~ > LowerLeg.~
  Foot.~
  PoleTarget.~`,
      ['L', 'R'],
    );
    const { guesses } = guessRoles(skeleton);
    expect(guesses[jointOf(skeleton, 'Foot.L')]).toMatchObject({ role: 'leftFoot' });
    expect(guesses[jointOf(skeleton, 'Foot.L')]!.confidence).toBeLessThan(0.9);
    expect(guesses[jointOf(skeleton, 'LowerLeg.L')]!.confidence).toBeGreaterThan(0.95);
  });

  it('a limb without its other half is doubted', () => {
    for (const limb of ['~Leg > ~Foot', '~Leg', '~UpLeg']) {
      const half = sketchSkeleton(body.replace('~UpLeg > ~Leg > ~Foot > ~ToeBase', limb), sides);
      const { role, confidence } =
        guessRoles(half).guesses[jointOf(half, limb.split(' ')[0]!.replace('~', 'Left'))]!;
      if (role !== null) expect(role, limb).toMatch(/^left(?:Upper|Lower)Leg$/);
      expect(confidence, limb).toBeLessThan(0.75);
    }
  });

  it('twist, control and helper joints play no role', () => {
    const skeleton = sketchSkeleton(
      `
Rig
  Hips
    Spine > Spine1 > Spine2
      Neck > Head
      ~Shoulder > ~Arm
        ~ArmRoll
        ~ArmTwist
        ~ForeArm
          ~ForeArmTwist1
          ~Hand > ~HandProp
    ~UpLeg > ~Leg > ~Foot > ~ToeBase
  ~FootIK
  ~HandIK
  ~KneePole
  ~Foot_ctrl
  Hips_ctrl`,
      sides,
    );
    const roles = guessRoles(skeleton).guesses;
    skeleton.names.forEach((name, joint) => {
      if (/Roll|Twist|IK|Pole|ctrl|Prop|^Rig$/.test(name)) expect(roles[joint]!.role, name).toBeNull();
    });
    expect(roles.filter(({ role }) => role).length).toBe(
      Object.keys(rolesOf(sketchSkeleton(body, sides))).length,
    );
  });

  it('joints in another family’s words are filled in, less surely', () => {
    const skeleton = sketchSkeleton(
      body.replace(
        '~ForeArm > ~Hand',
        '~ForeArm > ~Hand > ~IndexProximal > ~IndexIntermediate > ~IndexDistal',
      ),
      sides,
    );
    const { guesses, family } = guessRoles(skeleton);
    expect(family).toBe('HumanIK');
    const index = guesses[jointOf(skeleton, 'LeftIndexProximal')]!;
    expect(index.role).toBe('leftIndexProximal');
    expect(index.confidence).toBeLessThan(0.9);
  });

  describe('parts of a body', () => {
    const missing = (sketch: string) => {
      const skeleton = sketchSkeleton(sketch, sides);
      const { warnings } = guessRoles(skeleton);
      return {
        roles: rolesOf(skeleton),
        codes: warnings.map(({ code }) => code),
        message: warnings[0]?.message ?? '',
      };
    };
    it('legs alone keep their roles, and a warning names what is missing', () => {
      const { roles, codes, message } = missing('Hips\n  ~UpLeg > ~Leg > ~Foot > ~ToeBase');
      expect(roles).toMatchObject({ hips: 'Hips', leftUpperLeg: 'LeftUpLeg', rightToes: 'RightToeBase' });
      expect(codes).toEqual(['required-role-missing']);
      expect(message).toContain('leftUpperArm');
    });
    it('an upper body keeps its roles', () => {
      const { roles, codes } = missing(
        'Spine > Spine1\n  Neck > Head\n  ~Shoulder > ~Arm > ~ForeArm > ~Hand',
      );
      expect(roles).toMatchObject({ spine: 'Spine', chest: 'Spine1', head: 'Head', leftHand: 'LeftHand' });
      expect(codes).toEqual(['required-role-missing']);
    });
    it('one hand keeps its roles', () => {
      const { roles } = missing(
        'LeftHand\n  LeftHandIndex1 > LeftHandIndex2 > LeftHandIndex3\n  LeftHandMiddle1 > LeftHandMiddle2 > LeftHandMiddle3',
      );
      expect(roles).toMatchObject({
        leftHand: 'LeftHand',
        leftIndexProximal: 'LeftHandIndex1',
        leftMiddleDistal: 'LeftHandMiddle3',
      });
    });
    it('a body without hands keeps its roles', () => {
      const { roles, codes, message } = missing(body.replaceAll(' > ~Hand', ''));
      expect(roles.leftLowerArm).toBe('LeftForeArm');
      expect(codes).toEqual(['required-role-missing']);
      expect(message).toContain('leftHand');
      expect(message).not.toContain('leftFoot');
    });
  });

  describe('W4: no body', () => {
    const none = (skeleton: Skeleton, code = 'not-human') => {
      const { guesses, family, warnings } = guessRoles(skeleton);
      expect(guesses.flatMap(({ role }) => role ?? [])).toEqual([]);
      expect(guesses.length).toBe(skeleton.names.length);
      expect(family).toBeNull();
      expect(warnings.map(({ code }) => code)).toEqual([code]);
    };
    it('a machine with a few human words', () => {
      none(
        sketchSkeleton(
          'Base > Turntable\n  Arm_~ > Gripper_~\n  Neck > Camera\n  Wheel_~\n  Cable1 > Cable2 > Cable3',
          ['L', 'R'],
        ),
        'roles-incomplete',
      );
    });
    it('a fish, a snake, a bird with wings, a spider', () => {
      none(sketchSkeleton('Root\n  Spine1 > Spine2 > Spine3 > Tail\n  Head\n  Fin.~', ['L', 'R']));
      none(sketchSkeleton('hips\n  spine1 > spine2 > neck > head > jaw\n  tail1 > tail2', ['L', 'R']));
      none(
        sketchSkeleton(
          'Hips\n  Spine > Neck > Head\n  Wing1_~ > Wing2_~\n  UpperLeg_~ > LowerLeg_~ > Foot_~',
          ['L', 'R'],
        ),
      );
      none(sketchSkeleton('Body\n  Head\n  FrontLeg.~ > FrontFoot.~\n  BackLeg.~ > BackFoot.~', ['L', 'R']));
    });

    const dog = (tail: string) => {
      const skeleton = sketchSkeleton(
        `Pelvis\n  Spine > Spine1 > Neck > Head\n    ~ Clavicle > ~ UpperArm > ~ Forearm > ~ Hand\n  ~ Thigh > ~ Calf > ~ Foot${tail}`.replace(
          'Neck > Head',
          'Neck\n    Head',
        ),
        ['L', 'R'],
      );
      const offset: Record<string, number[]> = {
        Spine: [0, 0, 0.2],
        Spine1: [0, 0, 0.3],
        Neck: [0, 0.05, 0.2],
        Head: [0, 0.2, 0.2],
        UpperArm: [0, -0.1, 0],
        Forearm: [0, -0.2, 0],
        Hand: [0, -0.2, 0],
        Calf: [0, -0.25, 0],
        Foot: [0, -0.25, 0],
      };
      skeleton.names.forEach((name, joint) => {
        const word = name.split(' ').at(-1)!;
        skeleton.rest.translations.set(
          offset[word] ?? [name.startsWith('L') ? 0.1 : name.startsWith('R') ? -0.1 : 0, 0, 0],
          3 * joint,
        );
      });
      return skeleton;
    };
    it('a dog with a human rig’s names, with and without a tail', () => {
      none(dog('\n  Tail > Tail1'));
      none(dog(''));
    });
    it('a human with a tail is human', () => {
      const skeleton = dog('\n  Tail > Tail1');
      const { translations } = skeleton.rest;
      // Stood upright: what pointed forward now points up.
      skeleton.names.forEach((name, joint) => {
        if (!/Spine|Neck|Head/.test(name)) return;
        [translations[3 * joint + 1], translations[3 * joint + 2]] = [translations[3 * joint + 2]!, 0];
      });
      expect(guessRoles(skeleton).guesses.filter(({ role }) => role).length).toBeGreaterThan(15);
    });
  });

  it('the hand of WebXR takes its side from a name, or from its shape, or stays unknown', () => {
    const fingers = ['index', 'middle', 'ring', 'pinky'];
    const hand = (side: 1 | -1, curl: number, name = 'hand') => {
      const joints = [{ name: 'wrist', parent: -1, translation: [0, 0, 0] }];
      // Palm down, fingers forward (−Z); a left hand's index finger is on its right (+X).
      fingers.forEach((finger, i) => {
        const x = side * (0.03 - 0.02 * i);
        ['proximal', 'intermediate', 'distal'].forEach((phalanx, k) => {
          joints.push({
            name: `${finger}-finger-phalanx-${phalanx}`,
            parent: -1,
            translation: [x, -curl * k * k, -0.08 - 0.03 * k],
          });
        });
      });
      return createSkeleton(name, joints).skeleton;
    };
    expect(rolesOf(hand(1, 0.004)).leftHand).toBe('wrist');
    expect(rolesOf(hand(-1, 0.004)).rightIndexProximal).toBe('index-finger-phalanx-proximal');
    expect(rolesOf(hand(1, 0))).toEqual({});
    expect(rolesOf(hand(1, 0, 'hand-right')).rightHand).toBe('wrist');
  });

  it('renaming by prefix and reordering siblings change nothing', () => {
    const mirrored = sketchSkeleton(body, ['Right', 'Left']);
    expect(rolesOf(mirrored)).toEqual(rolesOf(sketchSkeleton(body, sides)));
  });

  it('a crowd of joints is looked at no more often a joint than a few: the work grows as they do', () => {
    /** How often names and parents of a crowd are read, a joint. */
    const readsOf = (people: number) => {
      const crowd = [
        'root',
        ...Array.from({ length: people }, (_, i) =>
          body.trim().replace(/^/gm, '  ').replace(/(\w+)/g, `m${i}_$1`),
        ),
      ];
      const skeleton = sketchSkeleton(crowd.join('\n').replace(/~m\d+_/g, '~'), sides);
      let reads = 0;
      const watched = <T extends object>(list: T): T =>
        new Proxy(list, {
          get: (store, key) => {
            if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
            const value: unknown = Reflect.get(store, key);
            // Methods of a typed array work on nothing but one.
            return typeof value === 'function' && !Array.isArray(store) ? value.bind(store) : value;
          },
        });
      guessRoles({ ...skeleton, names: watched(skeleton.names), parents: watched(skeleton.parents) });
      expect(skeleton.names.length).toBeGreaterThan(20 * people);
      return reads / skeleton.names.length;
    };
    const [few, many] = [readsOf(10), readsOf(40)];
    expect(few).toBeGreaterThan(1);
    expect(many).toBeLessThan(1.2 * few);
  });
});

describe('guessRoles without a word of the shape', () => {
  /** Trunk and limbs by Mixamo's names where they stand, or with a forearm that means nothing. */
  const body = (forearm: string) => {
    const places: [string, number, number, number, number][] = [
      ['Hips', -1, 0, 1, 0],
      ['Spine', 0, 0, 0.2, 0],
      ['Neck', 1, 0, 0.3, 0],
      ['Head', 2, 0, 0.1, 0],
    ];
    for (const [side, x] of [
      ['Left', 1],
      ['Right', -1],
    ] as const) {
      const arm = places.length;
      places.push([`${side}Arm`, 1, 0.2 * x, 0.25, 0]);
      places.push([side === 'Left' ? forearm : 'RightForeArm', arm, 0.3 * x, 0, 0]);
      places.push([`${side}Hand`, arm + 1, 0.25 * x, 0, 0]);
      const leg = places.length;
      places.push([`${side}UpLeg`, 0, 0.1 * x, -0.05, 0]);
      places.push([`${side}Leg`, leg, 0, -0.45, 0]);
      places.push([`${side}Foot`, leg + 1, 0, -0.42, 0]);
      places.push([`${side}ToeBase`, leg + 2, 0, -0.06, 0.12]);
    }
    return createSkeleton(
      'body',
      places.map(([name, parent, x, y, z]) => ({ name, parent, translation: [x, y, z], flags: JOINT })),
    ).skeleton;
  };
  const rolesOf = ({ guesses }: ReturnType<typeof guessRoles>) => guesses.map(({ role }) => role);

  it('gives the same roles where names leave nothing open, less surely', () => {
    const skeleton = body('LeftForeArm');
    const [asked, silent] = [guessRoles(skeleton), guessRoles(skeleton, { weighsShape: false })];
    expect(rolesOf(silent)).toEqual(rolesOf(asked));
    expect(asked.guesses.some(({ reason }) => reason.includes('its shape agrees'))).toBe(true);
    expect(silent.guesses.some(({ reason }) => reason.includes('shape'))).toBe(false);
  });

  it('asks it all the same where a part is open', () => {
    const skeleton = body('zwölf');
    const silent = guessRoles(skeleton, { weighsShape: false });
    expect(rolesOf(silent)).toEqual(rolesOf(guessRoles(skeleton)));
    expect(rolesOf(silent)).toContain('leftLowerArm');
  });
});
