import { placeGoals } from '../passes/goals/place-goals.js';
import { foundOf } from '../passes/pass.js';
import { BAKE_ASKED, type ClipJob, HELD_FRAMES, type Way } from './clip-way.js';
import { retargetKeys } from './keys/retarget-keys.js';
import { retargetProducts } from './keys/retarget-products.js';

/** Moves keys one by one, where each joint takes over one turn: sparse keys and cubic tangents stay what they are. */
export const moveKeys: Way = {
  name: 'keys',
  summary: 'moves the keys one by one, where every joint takes over one turn',
  refuses: (job) => whyNoKeys(job) ?? job.keyPlan().reason,
  move(job) {
    const { setup, clip } = job;
    const { clip: moved, finite } = retargetKeys(setup, clip, job.keyPlan().plan);
    const frames = clip.tracks.reduce((most, { times }) => Math.max(most, times.length), 0);
    return { clip: moved, frames, finite, mended: [], rootMotion: null, contacts: null };
  },
};

/** Multiplies the turns of joints that take over several, track by track, and moves all other keys one by one. */
export const multiplyKeys: Way = {
  name: 'products',
  summary: 'moves keys one by one, and multiplies the turns of joints that take over several',
  refuses(job) {
    const why = whyNoKeys(job);
    if (why !== null) return why;
    if (job.keys === 'keep') return 'keys are to be kept';
    if (job.between !== null) return 'it is told how far lines between frames may miss';
    const { products, reason } = job.keyPlan();
    return products ? null : (reason ?? 'keys can be moved one by one');
  },
  move(job) {
    const { setup, clip } = job;
    const { plan, products } = job.keyPlan();
    const { clip: moved, finite } = retargetKeys(setup, clip, plan);
    // What is refused has no products.
    const rest = retargetProducts(setup, clip, products!, moved.tracks, {
      refine: job.keys === 'refine',
      looksBetween: job.looksBetween,
    });
    for (const track of rest.tracks) moved.tracks.push(track);
    return {
      clip: moved,
      frames: rest.frames,
      missed: rest.missed,
      finite: finite && rest.finite,
      mended: [],
      rootMotion: null,
      contacts: null,
    };
  },
};

function whyNoKeys({ keys, plan }: ClipJob): string | null {
  if (keys === 'bake') return BAKE_ASKED;
  return foundOf(plan(), placeGoals) ? HELD_FRAMES : null;
}
