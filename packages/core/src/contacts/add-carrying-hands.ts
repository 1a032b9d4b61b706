import type { Vec3 } from '../base/math/vector.js';
import type { Contact } from '../options/contact.js';
import { CARRYING_HANDS } from './contact-rules.js';
import { CONTACT_RATE, type PointTracks } from './track-points.js';

/**
 * Finds hands that carry the body, in a cartwheel or on all fours. A body that neither stands nor flies is carried by
 * what is lowest of it; so a hand that is the lowest, near the floor and slow stands on the floor, even where a
 * capture has it a little above and sliding.
 * @param contacts Those that are found already, in order of points, then time.
 * @param heights Per point per instant the height over where it stands, in hip heights.
 * @param speeds The same in hip heights a second.
 * @param lowest Per instant the least of the heights.
 * @returns The contacts with those of hands added, or widened where they overlap.
 */
export function addCarryingHands(
  { points, count, positions }: PointTracks,
  contacts: readonly Contact[],
  heights: Float64Array,
  speeds: Float64Array,
  lowest: Float64Array,
): Contact[] {
  const width = points.length;
  const found: Contact[] = [];
  for (let n = 0; n < width; n++) {
    const { name } = points[n]!;
    let all: Contact[] = [];
    for (const contact of contacts) if (contact.point === name) all.push(contact);
    const stretches = name.endsWith('Hand')
      ? carryingStretches(n, width, count, heights, speeds, lowest)
      : [];
    for (const { first, last } of stretches) {
      const isApart = ({ start, end }: Contact) =>
        end * CONTACT_RATE < first - 0.5 || start * CONTACT_RATE > last + 0.5;
      const others = all.filter((contact) => !isApart(contact));
      const from = Math.min(first / CONTACT_RATE, ...others.map(({ start }) => start));
      const to = Math.max(last / CONTACT_RATE, ...others.map(({ end }) => end));
      const position: Vec3 = [0, 0, 0];
      for (let k = Math.round(from * CONTACT_RATE); k <= Math.round(to * CONTACT_RATE); k++)
        for (let c = 0; c < 3; c++)
          position[c]! += positions[3 * (width * k + n) + c]! / (Math.round((to - from) * CONTACT_RATE) + 1);
      const carrying: Contact = { point: name, start: from, end: to, height: 0, position };
      all = [...all.filter(isApart), carrying].sort((a, b) => a.start - b.start);
    }
    found.push(...all);
  }
  return found;
}

function carryingStretches(
  n: number,
  width: number,
  count: number,
  heights: Float64Array,
  speeds: Float64Array,
  lowest: Float64Array,
): { first: number; last: number }[] {
  const found: { first: number; last: number }[] = [];
  let first = -1;
  let sure = false;
  for (let k = 0; k <= count; k++) {
    const height = k < count ? heights[width * k + n]! : Number.POSITIVE_INFINITY;
    const over = height - (lowest[k] ?? 0);
    const speed = speeds[width * k + n] ?? 0;
    if (
      height <= CARRYING_HANDS.height &&
      over <= CARRYING_HANDS.releaseSlack &&
      speed <= CARRYING_HANDS.releaseSpeed
    ) {
      if (first < 0) first = k;
      if (over <= CARRYING_HANDS.slack && speed <= CARRYING_HANDS.speed) sure = true;
      continue;
    }
    if (first >= 0 && sure) {
      const before = found[found.length - 1];
      if (before && first - before.last <= CARRYING_HANDS.gap * CONTACT_RATE) before.last = k - 1;
      else found.push({ first, last: k - 1 });
    }
    first = -1;
    sure = false;
  }
  return found.filter(
    (stretch) => stretch.last - stretch.first >= CARRYING_HANDS.shortest * CONTACT_RATE - 1e-6,
  );
}
