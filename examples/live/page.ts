/// <reference lib="dom" />
/* What both pages have in common: where an avatar comes from, and what the page says. */

/** The page's own motion: a walk of our samples, by `stuntdouble convert walk.glb out.glb --animation-only --compress`. */
export const MOTION = new URL('./walk.glb', import.meta.url).href;

/** Whom the page begins with. */
const OURS = new URL('../../samples/files/characters/vrm1-sister.vrm', import.meta.url).href;

const status = document.querySelector('#status')!;

/** Says something on the page. */
export function say(words: string): void {
  status.textContent = words;
}

/** Says on the page what went wrong. */
export function fail(error: unknown): void {
  say(`This did not work: ${error instanceof Error ? error.message : String(error)}`);
}

/**
 * Gives our avatar first, then every one that a visitor chooses or drops.
 * @param show Shows it, and says what came of it.
 */
export async function takeAvatars(show: (bytes: ArrayBuffer) => Promise<string>): Promise<void> {
  const take = async (name: string, bytes: Promise<ArrayBuffer>) => {
    try {
      say(`${name}: ${await show(await bytes)}`);
    } catch (error) {
      fail(error);
    }
  };
  const takeFile = (file: File | undefined) => file && void take(file.name, file.arrayBuffer());
  const input = document.querySelector<HTMLInputElement>('#avatar')!;
  input.addEventListener('change', () => takeFile(input.files?.[0]));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    takeFile(event.dataTransfer?.files[0]);
  });
  await take(
    'Our avatar',
    fetch(OURS).then((answer) => answer.arrayBuffer()),
  );
}
