import type { Warning } from '@stuntdouble/core';
import type { Resolve } from '../../format.js';
import { decodeBase64 } from '../../shared/base64.js';
import type { MeshMaterial, Picture } from '../../shared/dressed-mesh.js';
import { carryPicture } from '../../shared/pictures/carry-picture.js';
import { nullUnlessLimit } from '../../shared/resolve-pictures.js';
import { childOf, firstValueOf } from '../parse/child-records.js';
import { numberOf, textOf } from '../parse/fbx-node.js';
import { type FbxObject, type FbxObjects, vectorOf } from '../parse/objects.js';

/**
 * What a texture does for a material, by the property that it is connected to: FBX's own names, then those under
 * which 3ds Max and Maya write their newer materials.
 */
const USES = {
  base: /^Diffuse(Color)?$|(^|\|)(base_?color(_map)?|TEX_color_map|Color)$/i,
  normal: /^NormalMap$|(^|\|)(normal_?map|TEX_normal_map|normalCamera)$/i,
  emissive: /^Emissive(Color)?$|(^|\|)(emis?s(ion|ive)(_color)?_map|TEX_emissive_map)$/i,
  alpha: /^Transparen(tColor|cyFactor)$|(^|\|)(opacity|cutout)(_map)?$/i,
} as const;

type Use = keyof typeof USES;

/** The textures of a material by what they do, and the properties of those that are not carried. */
export type MaterialTextures = {
  uses: Partial<Record<Use, FbxObject>>;
  others: string[];
  isLayered: boolean;
};

/** Finds the textures of a material. Of several in layers the first counts. */
export function texturesOf(objects: FbxObjects, material: FbxObject): MaterialTextures {
  const found: MaterialTextures = { uses: {}, others: [], isLayered: false };
  for (const { object, property } of objects.sourcesOf(material)) {
    let texture: FbxObject | undefined = object;
    if (object.type === 'LayeredTexture') {
      const layers = objects.sourcesOf(object).filter((link) => link.object.type === 'Texture');
      if (layers.length > 1) found.isLayered = true;
      texture = layers[0]?.object;
    }
    if (texture?.type !== 'Texture') continue;
    const use = isNormalBump(texture, property)
      ? 'normal'
      : (Object.keys(USES) as Use[]).find((one) => USES[one].test(property));
    if (use) found.uses[use] ??= texture;
    else found.others.push(property);
  }
  return found;
}

/** 3ds Max writes pictures of normals where those of heights belong; their names tell. */
function isNormalBump(texture: FbxObject, property: string): boolean {
  return property === 'Bump' && /norm|nrm|_n\.\w+$/i.test(textOf(firstValueOf(texture, 'RelativeFilename')));
}

/** The name of the set of texture coordinates that a material's picture goes by; null for the first. */
export function uvSetOf(objects: FbxObjects, material: FbxObject | null): string | null {
  const texture = material && texturesOf(objects, material).uses.base;
  const name = texture && textOf(objects.propertyOf(texture, 'UVSet')?.[0]);
  return name && name !== 'default' ? name : null;
}

/** How a texture moves texture coordinates: (u, v) · scale + offset. */
export type UvTransform = { scale: [number, number]; offset: [number, number] };

/** What the texture of a material's base colour does to texture coordinates. */
export function uvTransformOf(objects: FbxObjects, material: FbxObject | null): UvTransform {
  const texture = material && texturesOf(objects, material).uses.base;
  if (!texture) return { scale: [1, 1], offset: [0, 0] };
  const scale = vectorOf(objects.propertyOf(texture, 'Scaling'), [1, 1, 1]);
  const offset = vectorOf(objects.propertyOf(texture, 'Translation'), [0, 0, 0]);
  return { scale: [scale[0], scale[1]], offset: [offset[0], offset[1]] };
}

/** The colour of a material, linear RGB; where there is a picture, that alone: the colour is often black then. */
export function baseColorOf(
  objects: FbxObjects,
  material: FbxObject,
  hasPicture: boolean,
): [number, number, number] {
  if (hasPicture) return [1, 1, 1];
  const color = objects.propertyOf(material, 'DiffuseColor') ?? objects.propertyOf(material, 'Diffuse');
  const factor = numberOf(objects.propertyOf(material, 'DiffuseFactor')?.[0], 1);
  const part = (value: number) => Math.min(1, Math.max(0, value * factor));
  const [r, g, b] = vectorOf(color, [0.8, 0.8, 0.8]);
  return [part(r), part(g), part(b)];
}

/**
 * How much is seen of a material. Programs disagree whether a transparency of one means all or nothing, so it
 * counts only in between; then the opacity does, then the colour that is let through.
 */
function opacityOf(objects: FbxObjects, material: FbxObject): number {
  const number = (name: string) => {
    const value = objects.propertyOf(material, name)?.[0];
    return value === undefined ? null : numberOf(value, 1);
  };
  const clear = number('TransparencyFactor') ?? 0;
  if (clear > 0 && clear < 1) return 1 - clear;
  const opacity = number('Opacity');
  if (opacity !== null) return Math.min(1, Math.max(0, opacity));
  const color = objects.propertyOf(material, 'TransparentColor');
  // White is what programs write for "none" as often as for "all".
  const [r] = vectorOf(color, [0, 0, 0]);
  return r > 0 && r < 1 && clear !== 0 ? 1 - r : 1;
}

/** Reads materials and their pictures, each once. */
export type MaterialReader = (material: FbxObject, isDoubleSided: boolean) => Promise<MeshMaterial>;

/** Makes a reader of a file's materials. */
export function createMaterialReader(
  objects: FbxObjects,
  resolve: Resolve,
  warnings: Warning[],
): MaterialReader {
  const materials = new Map<FbxObject, MeshMaterial>();
  const pictures = new Map<FbxObject, Promise<Picture | null>>();
  const pictureOf = (texture: FbxObject | undefined) => {
    if (!texture) return null;
    const source =
      objects.sourcesOf(texture).find(({ object }) => object.type === 'Video')?.object ?? texture;
    const known = pictures.get(source) ?? readPicture(texture, source, resolve, warnings);
    pictures.set(source, known);
    return known;
  };
  return async (object, isDoubleSided) => {
    const known = materials.get(object);
    if (known) return known;
    const { uses, others, isLayered } = texturesOf(objects, object);
    const picture = await pictureOf(uses.base);
    const name = object.name || `material${materials.size}`;
    const alphaSource = uses.base && textOf(firstValueOf(uses.base, 'Texture_Alpha_Source'));
    const cutsOut =
      picture !== null &&
      ((uses.alpha !== undefined && (await pictureOf(uses.alpha)) === picture) ||
        /black/i.test(alphaSource ?? ''));
    const lost = [...others, ...(uses.alpha && !cutsOut ? ['transparency'] : [])];
    if (lost.length > 0)
      warnings.push({
        code: 'feature-ignored',
        message: `The material "${name.slice(0, 80)}" has pictures that are not carried: ${lost.slice(0, 5).join(', ').slice(0, 120)}.`,
      });
    if (isLayered)
      warnings.push({
        code: 'feature-ignored',
        message: `The material "${name.slice(0, 80)}" has pictures in layers; the first of them was taken.`,
      });
    const opacity = opacityOf(objects, object);
    const shininess = numberOf(
      objects.propertyOf(object, 'Shininess')?.[0] ?? objects.propertyOf(object, 'ShininessExponent')?.[0],
      0,
    );
    const glow = vectorOf(objects.propertyOf(object, 'EmissiveColor'), [0, 0, 0]);
    const glowFactor = numberOf(objects.propertyOf(object, 'EmissiveFactor')?.[0], 1);
    const emissivePicture = await pictureOf(uses.emissive);
    const clamp = (value: number) => Math.min(1, Math.max(0, value));
    const wraps = (axis: 'U' | 'V') =>
      uses.base !== undefined && numberOf(objects.propertyOf(uses.base, `WrapMode${axis}`)?.[0]) === 1;
    const material: MeshMaterial = {
      name,
      color: baseColorOf(objects, object, picture !== null),
      opacity,
      alpha: opacity < 1 ? 'blend' : cutsOut ? 'mask' : 'opaque',
      cutoff: 0.5,
      isDoubleSided,
      roughness: roughnessOf(textOf(firstValueOf(object, 'ShadingModel')), shininess),
      metalness: 0,
      emissive: emissivePicture
        ? [1, 1, 1]
        : [clamp(glow[0] * glowFactor), clamp(glow[1] * glowFactor), clamp(glow[2] * glowFactor)],
      picture,
      normalPicture: await pictureOf(uses.normal),
      emissivePicture,
      clamps: [wraps('U'), wraps('V')],
    };
    materials.set(object, material);
    return material;
  };
}

/** Chalk where nothing shines; else as Blender reads the exponent of Phong's model, 0 to 100: 1 − √shininess / 10. */
function roughnessOf(shading: string, shininess: number): number {
  if (!/phong/i.test(shading) || !(shininess > 0)) return 0.9;
  return Math.min(0.9, Math.max(0.2, 1 - Math.sqrt(shininess) / 10));
}

/** The names under which a file that a texture names is looked for, the likeliest first: only downwards. */
export function pictureNames(given: readonly string[]): string[] {
  const names: string[] = [];
  const add = (name: string) => {
    if (name !== '' && !names.includes(name)) names.push(name);
  };
  for (const path of given) {
    const parts = path.replaceAll('\\', '/').split('/');
    const isDown = !parts.includes('..') && !/^([a-z]:)?$/i.test(parts[0]!);
    if (isDown) add(parts.filter((part) => part !== '.' && part !== '').join('/'));
  }
  for (const path of given) {
    const plain = /[^/\\]*$/.exec(path)![0];
    if (plain === '' || plain === '.' || plain === '..') continue;
    add(plain);
    for (const folder of ['textures', 'Textures', 'tex']) add(`${folder}/${plain}`);
  }
  return names;
}

async function readPicture(
  texture: FbxObject,
  source: FbxObject,
  resolve: Resolve,
  warnings: Warning[],
): Promise<Picture | null> {
  const paths = [source, texture].flatMap((object) => [
    textOf(firstValueOf(object, 'RelativeFilename')),
    textOf(firstValueOf(object, object === texture ? 'FileName' : 'Filename')),
  ]);
  const given = paths.find((path) => path !== '') ?? source.name;
  const name = (/[^/\\]*$/.exec(given)![0].replace(/\.[^.]*$/, '') || source.name || `picture${source.index}`)
    .replaceAll(/[^\p{L}\p{N} ._-]+/gu, '_')
    .slice(0, 80);
  const bytes =
    contentOf(source) ?? (await fetchFirst(pictureNames(paths.filter((path) => path !== '')), resolve));
  const carried = bytes && carryPicture(bytes);
  if (carried?.bytes) return { name, extension: carried.extension, bytes: carried.bytes };
  const reason = carried ? carried.reason : 'is neither in the file nor beside it';
  warnings.push({
    code: 'feature-ignored',
    message: `The picture "${name}" ${reason}; materials go without it.`,
  });
  return null;
}

/** The bytes of a picture inside the file; null where there are none. ASCII files have them in pieces of base64. */
function contentOf(video: FbxObject): Uint8Array | null {
  const values = childOf(video, 'Content')?.values ?? [];
  const pieces: Uint8Array[] = [];
  for (const value of values) {
    const piece =
      value instanceof Uint8Array ? value : typeof value === 'string' ? decodeBase64(value) : null;
    if (piece && piece.length > 0) pieces.push(piece);
  }
  if (pieces.length <= 1) return pieces[0] ?? null;
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

async function fetchFirst(names: readonly string[], resolve: Resolve): Promise<Uint8Array | null> {
  for (const name of names) {
    const bytes = await resolve(name).catch(nullUnlessLimit);
    if (bytes) return bytes;
  }
  return null;
}
