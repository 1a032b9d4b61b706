import { type Material, Mesh, type Object3D, SkinnedMesh, Texture } from 'three';

/** Frees everything that an object and all below it hold on the graphics card: geometries, materials, pictures, bones. */
export function disposeObject(root: Object3D): void {
  const materials = new Set<Material>();
  root.traverse((object) => {
    if (object instanceof SkinnedMesh) object.skeleton.dispose();
    if (object instanceof Mesh || 'geometry' in object) {
      const { geometry, material } = object as Mesh;
      geometry?.dispose();
      for (const one of Array.isArray(material) ? material : [material]) if (one) materials.add(one);
      if (object.customDepthMaterial) materials.add(object.customDepthMaterial);
    }
    if ('dispose' in object && typeof object.dispose === 'function') object.dispose();
  });
  for (const material of materials) {
    for (const value of Object.values(material)) disposeTexture(value);
    const { uniforms } = material as { uniforms?: Record<string, { value: unknown }> };
    for (const uniform of Object.values(uniforms ?? {})) disposeTexture(uniform?.value);
    material.dispose();
  }
  root.removeFromParent();
}

function disposeTexture(value: unknown): void {
  if (!(value instanceof Texture)) return;
  value.dispose();
  // Pictures that were decoded for a texture are closed with it; others are shared.
  const picture: unknown = value.image;
  if (typeof ImageBitmap !== 'undefined' && picture instanceof ImageBitmap) picture.close();
}
