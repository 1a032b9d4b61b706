import { oneLine } from '../base/printable.js';
import type { Warning } from '../base/warnings.js';
import { listOptions } from '../options/list.js';
import { nearestName } from '../options/nearest-name.js';

/**
 * The fields that a part of a document may have. `anything` is not looked into; `each` stands for the entries of a
 * list, or of an object whose names are people's own (joints, clips).
 */
type FieldShape = 'anything' | { fields: Readonly<Record<string, FieldShape>> } | { each: FieldShape };

function named(...names: readonly string[]): { fields: Record<string, FieldShape> } {
  return { fields: Object.fromEntries(names.map((name) => [name, 'anything' as const])) };
}

const LIMIT: FieldShape = named(
  ...['type', 'axis', 'forward', 'angleDegrees', 'twistAxis', 'twistDegrees', 'swingDegrees', 'axes'],
);
const CONTACTS: FieldShape = {
  each: { each: named('point', 'start', 'end', 'height', 'position', 'on', 'apart') },
};

/** Every option that is saved among the settings; what they hold is checked by the list of options, contacts aside. */
const SETTINGS: Record<string, FieldShape> = Object.fromEntries(
  listOptions().flatMap(([name, { saved = 'settings' }]) =>
    saved === 'settings' ? [[name, name === 'contacts' ? CONTACTS : ('anything' as const)]] : [],
  ),
);

const ARMATURE: FieldShape = {
  fields: {
    version: 'anything',
    chains: {
      each: {
        fields: {
          ...named('name', 'joints', 'kind', 'enabled', 'priority').fields,
          ...named('limbScale', 'rootScale', 'imitation', 'alignment').fields,
          solver: named('method', 'sweep', 'variant', 'maxIterations', 'tolerance', 'damping', 'step'),
          goal: named('name', 'weight', 'place'),
        },
      },
    },
    controls: 'anything',
    limits: { each: LIMIT },
    // The older shape.
    SkeletonStructure: { each: named('Root', 'EndEffector') },
    JointLimits: 'anything',
  },
};

const MAP_FIELDS: FieldShape = {
  fields: {
    version: 'anything',
    joints: {
      each: { fields: { ...named('target', 'sources', 'role').fields, share: named('from', 'weight') } },
    },
    changes: {
      each: {
        fields: { ...named('target', 'sources', 'role', 'none').fields, share: named('from', 'weight') },
      },
    },
    roles: 'anything',
  },
};

const SIDE_FIELDS: FieldShape = {
  fields: { ...named('file', 'sha256', 'family', 'skeleton', 'namingScheme').fields, armature: ARMATURE },
};

const REFERENCE_FIELDS: FieldShape = {
  fields: {
    base: {
      fields: {
        ...named('clip', 'frame', 'time').fields,
        pose: named('translations', 'rotations', 'scales'),
      },
    },
    edits: { each: named('name', 'translation', 'rotation', 'turn', 'scale') },
  },
};

/** The documents that a recipe can be read from, and every field that this version knows of them, all the way down. */
const DOCUMENTS = {
  recipe: {
    fields: {
      ...named('$schema', 'version', 'madeWith', 'passes', 'bind', 'constraints', 'layers').fields,
      source: SIDE_FIELDS,
      target: SIDE_FIELDS,
      map: MAP_FIELDS,
      references: { fields: { source: REFERENCE_FIELDS, target: REFERENCE_FIELDS } },
      settings: { fields: SETTINGS },
    },
  },
  map: MAP_FIELDS,
  armature: ARMATURE,
  babylon: {
    fields: {
      ...named('path', 'namingScheme').fields,
      restPoseUpdate: {
        each: { fields: { name: 'anything', data: named('position', 'scaling', 'quaternion') } },
      },
    },
  },
} as const satisfies Record<string, FieldShape>;

/** How many fields of one document are told of; a list of a million entries says the same a million times. */
const MOST_WARNINGS = 100;

/**
 * Warns of every field of a document that this version does not know, at any depth: what it was meant to do is not
 * done. The message names its path and, where it looks misspelt, the field that was meant.
 */
export function warnUnknownFields(document: unknown, kind: keyof typeof DOCUMENTS): Warning[] {
  const warnings: Warning[] = [];
  look(document, DOCUMENTS[kind], 'recipe', warnings);
  return warnings;
}

function look(value: unknown, shape: FieldShape, at: string, warnings: Warning[]): void {
  if (shape === 'anything' || typeof value !== 'object' || value === null) return;
  if ('each' in shape) {
    for (const [name, entry] of Object.entries(value))
      look(entry, shape.each, Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`, warnings);
    return;
  }
  if (Array.isArray(value)) return;
  for (const [name, entry] of Object.entries(value)) {
    if (Object.hasOwn(shape.fields, name)) {
      look(entry, shape.fields[name]!, `${at}.${name}`, warnings);
    } else if (warnings.length < MOST_WARNINGS) {
      const meant = nearestName(name, Object.keys(shape.fields));
      warnings.push({
        code: 'recipe-entry-ignored',
        message: oneLine(
          `${at}.${name} is nothing that this version knows; it has no effect${meant === null ? '' : ` (did you mean "${meant}"?)`}`,
        ),
      });
    }
  }
}
