import type { Warning } from '@stuntdouble/core';
import { childOf, childrenNamed, forEachChild } from './child-records.js';
import { type FbxBlock, type FbxNode, type FbxValue, fbxError, numberOf, textOf } from './fbx-node.js';
import type { FbxDocument } from './parse-fbx.js';
import { listProperties, type PropertyList, valuesIn } from './properties.js';

/** What an object is known by in its file. */
export type FbxId = number | bigint;

/** An object of a file: a model, a curve, a cluster. */
export type FbxObject = {
  id: FbxId;
  /** Without the class, which files add before or after it. */
  name: string;
  /** The record's name: `Model`, `Geometry`, `Deformer`. */
  type: string;
  /** `LimbNode`, `Mesh`, `Skin`; may be empty. */
  subtype: string;
  /** The records inside its own. */
  block: FbxBlock | null;
  /** Its own properties, found when they are first asked for. */
  properties: PropertyList | null;
  /** Its place among all objects of the file. */
  index: number;
};

/** One end of a connection: the other object, and the property it drives, or the empty text. */
export type FbxLink = { object: FbxObject; property: string };

/** The objects of a file and how they hang together. */
export type FbxObjects = {
  document: FbxDocument;
  /** In the file's order. */
  all: FbxObject[];
  byId: Map<FbxId, FbxObject>;
  /** Per object what is connected to it (its children), in the file's order. */
  sourcesOf(object: FbxObject): readonly FbxLink[];
  /** Per object what it is connected to (its parents), in the file's order. */
  targetsOf(object: FbxObject): readonly FbxLink[];
  /** The values of a property: the object's own, else those of its type's template, else undefined. */
  propertyOf(object: FbxObject, name: string): readonly FbxValue[] | undefined;
  /** The values of a property by the object's own word, else undefined. */
  ownPropertyOf(object: FbxObject, name: string): readonly FbxValue[] | undefined;
  globalSettings: FbxNode | undefined;
};

const NO_LINKS: readonly FbxLink[] = [];

/** Twenty times as many as the largest scene that is known; each takes some hundred bytes of memory. */
const MOST_OBJECTS = 2 ** 20;

/**
 * Reads the objects of a file and their connections.
 * @throws FormatError where the file has no objects.
 */
export function readObjects(document: FbxDocument, warnings: Warning[]): FbxObjects {
  const { nodes } = document;
  const section = nodes.find(({ name }) => name === 'Objects');
  if (!section)
    throw fbxError(
      'Objects',
      nodes.length === 0 ? 'a file without records' : 'no such record',
      'the objects of the scene; the file is cut off or empty',
    );
  const all: FbxObject[] = [];
  const byId = new Map<FbxId, FbxObject>();
  let lost = 0;
  forEachChild(section, (type, values, block) => {
    const id = values[0];
    if ((typeof id !== 'number' && typeof id !== 'bigint') || byId.has(id) || id === 0) {
      // Objects without an id, such as the settings of MotionBuilder, cannot be connected; 0 is the scene itself.
      if ((typeof id === 'number' && id !== 0) || typeof id === 'bigint') lost++;
      return;
    }
    const object: FbxObject = {
      id,
      name: plainName(textOf(values[1]), type),
      type,
      subtype: textOf(values[2]),
      block,
      properties: null,
      index: all.length,
    };
    byId.set(id, object);
    all.push(object);
    if (all.length > MOST_OBJECTS)
      throw fbxError('Objects', `more than ${MOST_OBJECTS} objects`, 'fewer: export the character alone');
  });
  if (lost > 0)
    warnings.push({
      code: 'file-repaired',
      message: `${lost} objects share the number of another; the first was read.`,
    });

  const sources = new Array<FbxLink[] | undefined>(all.length);
  const targets = new Array<FbxLink[] | undefined>(all.length);
  const add = (links: (FbxLink[] | undefined)[], index: number, link: FbxLink) => {
    const list = links[index];
    if (list) list.push(link);
    else links[index] = [link];
  };
  /** The properties by which two objects are connected: one, but for odd files. */
  const known = new Map<number, string | Set<string>>();
  const isKnown = (pair: number, property: string) => {
    const before = known.get(pair);
    if (before === property) return true;
    if (typeof before === 'object') {
      if (before.has(property)) return true;
      before.add(property);
    } else known.set(pair, before === undefined ? property : new Set([before, property]));
    return false;
  };
  const connections = nodes.find(({ name }) => name === 'Connections');
  forEachChild(connections, (name, values) => {
    if (name !== 'C' && name !== 'Connect') return;
    const from = byId.get(values[1] as FbxId);
    const to = byId.get(values[2] as FbxId);
    // The scene itself is number 0: what hangs on it hangs on nothing.
    if (!from || !to || from === to) return;
    const property = textOf(values[3]);
    // Said twice it is the same; a file could say it so often that layers, their nodes and curves multiply.
    if (isKnown(from.index * all.length + to.index, property)) return;
    add(sources, to.index, { object: from, property });
    add(targets, from.index, { object: to, property });
  });

  const templates = findTemplates(nodes);
  const ownPropertyOf = (object: FbxObject, name: string) => {
    object.properties ??= listProperties(object);
    return valuesIn(object.properties, name);
  };
  return {
    document,
    all,
    byId,
    sourcesOf: (object) => sources[object.index] ?? NO_LINKS,
    targetsOf: (object) => targets[object.index] ?? NO_LINKS,
    propertyOf: (object, name) => {
      const own = ownPropertyOf(object, name);
      if (own) return own;
      const template = templates.get(object.type);
      return template && valuesIn(template, name);
    },
    ownPropertyOf,
    globalSettings: nodes.find(({ name }) => name === 'GlobalSettings'),
  };
}

/** What the objects of each type have where they say nothing themselves. */
function findTemplates(nodes: readonly FbxNode[]): Map<string, PropertyList> {
  const templates = new Map<string, PropertyList>();
  const definitions = nodes.find(({ name }) => name === 'Definitions');
  for (const type of childrenNamed(definitions, 'ObjectType')) {
    const properties = listProperties(childOf(type, 'PropertyTemplate'));
    if (properties.names.length > 0) templates.set(textOf(type.values[0]), properties);
  }
  return templates;
}

/** Three numbers. */
export type Vector = readonly [number, number, number];

/** A property as three finite numbers of a sane size. */
export function vectorOf(values: readonly FbxValue[] | undefined, fallback: Vector): Vector {
  if (!values) return fallback;
  const read = (c: 0 | 1 | 2) => {
    const value = numberOf(values[c], fallback[c]);
    // Products of larger numbers along a chain of joints leave what even doubles can hold.
    return Math.abs(value) < 1e12 ? value : fallback[c];
  };
  return [read(0), read(1), read(2)];
}

/** Binary files have `name\0\1Class`, ASCII ones `Class::name`. */
function plainName(name: string, type: string): string {
  const end = name.indexOf('\x00\x01');
  if (end >= 0) return name.slice(0, end);
  const classEnd = name.indexOf('::');
  if (classEnd < 0) return name;
  const prefix = name.slice(0, classEnd);
  const isClass =
    prefix === type ||
    /^(Model|Geometry|NodeAttribute|Material|Deformer|SubDeformer|Pose|Texture|Video|AnimStack|AnimLayer|AnimCurveNode|AnimCurve|Constraint)$/.test(
      prefix,
    );
  return isClass ? name.slice(classEnd + 2) : name;
}
