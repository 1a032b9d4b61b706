/** One of the studio's own files, to try. */
export type ShelfEntry = {
  name: string;
  /** From the folder of samples, such as `motions/walk.glb`. */
  path: string;
  title: string;
  kind: 'motion' | 'character';
  /** Whether it is shown before more are asked for. */
  isFirst: boolean;
};

const URLS = import.meta.glob<string>('../../../../samples/files/**/*.{glb,vrm,bvh}', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** What the samples are, in words; others go by the names of their files. */
const TITLES: Record<string, string> = {
  'motions/walk.glb': 'Walk',
  'motions/run-turn.glb': 'Run with a turn',
  'motions/jump.glb': 'Jump',
  'motions/wave-on-one-leg.glb': 'Wave on one leg',
  'motions/walk.bvh': 'Walk, as BVH',
  'characters/mixamo-guy.glb': 'Guy, Mixamo names',
  'characters/vrm-girl.vrm': 'Girl, VRM',
  'characters/unreal-mannequin.glb': 'Mannequin, Unreal names',
  'characters/goblin.glb': 'Goblin',
  'characters/child.glb': 'Child',
  'characters/robot.glb': 'Robot',
};

const pathOf = (key: string) => key.replace(/^.*samples\/files\//, '');

/** Everything on the shelf, motions first. */
export const SHELF: readonly ShelfEntry[] = Object.keys(URLS)
  .map((key): ShelfEntry => {
    const path = pathOf(key);
    const name = path.replace(/^.*\//, '');
    const plain = name.replace(/\.[^.]*$/, '').replaceAll('-', ' ');
    return {
      name,
      path,
      title: TITLES[path] ?? plain.charAt(0).toUpperCase() + plain.slice(1),
      kind: /^(motions|captures)\//.test(path) ? 'motion' : 'character',
      isFirst: path in TITLES,
    };
  })
  .sort((a, b) => rank(a) - rank(b) || a.path.localeCompare(b.path));

function rank({ path, kind }: ShelfEntry): number {
  const known = Object.keys(TITLES).indexOf(path);
  return (kind === 'motion' ? 0 : 100) + (known < 0 ? 50 : known);
}

/** The body that sample motions without one are shown on: they were made for it. */
export const SAMPLE_BODY = 'characters/mixamo-guy.glb';

/** The bytes of a sample. */
export async function fetchSample(path: string): Promise<Blob> {
  const key = Object.keys(URLS).find((candidate) => pathOf(candidate) === path);
  if (!key) throw new Error(`there is no sample "${path}"`);
  const response = await fetch(URLS[key]!);
  if (!response.ok) throw new Error(`the sample "${path}" could not be loaded (${response.status})`);
  return response.blob();
}
