/** What `convert --help` ends with. */
export const CONVERT_HELP = `
Examples:
  $ stuntdouble convert dance.bvh dance.glb
      a capture as glTF: metres, upright, its joints as a skin
  $ stuntdouble convert hero.fbx hero.glb
      the character with its meshes, materials, pictures and clips
  $ stuntdouble convert hero.glb moves.bvh
      every clip as a BVH of its own: moves-CLIP.bvh
  $ stuntdouble convert walk.bvh walk.vrma
      a capture as VRM animation, which plays on every VRM avatar
  $ stuntdouble convert hero.vrm hero.glb --clip walk
      the same file under another name, with one of its clips alone
  $ stuntdouble convert hero.glb clips.glb --animation-only
      the skeleton and its clips without the meshes
  $ stuntdouble convert captures/*.bvh --out-dir converted --to glb
      every file on its own, under its own name in another folder
  $ curl https://example.org/dance.bvh | stuntdouble convert - - --to glb > dance.glb
      from standard input to standard output
  $ stuntdouble convert odd.bvh odd.glb --flip-yz --euler ZXY
      a capture whose Z is up and whose angles are not in the order that it names
  $ stuntdouble convert walk.bvh walk.glb --mesh --rig hero.rig
      with a stick figure to look at, its joints called as a .rig of SpireMiniEngine says

The motion is not changed: the same joints, in the same poses, at the same times. What the other format cannot
hold is left out with a warning that names it. Between .fbx and .glb or .gltf the character goes along: meshes,
skins, blend shapes, texture coordinates, materials and their pictures (in the file or beside it; TGA and BMP become
PNG). To .bvh and .vrma goes the motion alone: a BVH has no morph weights, a .vrma body parts alone and no joints
between them. Between .gltf, .glb and .vrm everything in the file stays. A .vrm cannot be made of what is none.

What --json prints:
  { format, dialect, output, clips: [{ name, duration, keys }], notes: [{ code, message }], warnings: [{ code, message }] }
  format and dialect are those of IN; output is the path, a list of paths where there are several, null with
  --dry-run; keys are those of IN. With --out-dir: { files: [{ input, … as above }], failed: [{ input, error }] }.
`;
