import type { Contact, PointName } from '../../options/contact.js';
import { OTHER_HAND, TOUCHED } from './body-shape.js';
import type { FoundCarry } from './find-carried.js';
import type { FoundTouch } from './find-touches.js';

/** Touches and carried things of both hands over a clip. */
export type HandContacts = { touches: FoundTouch[]; carries: FoundCarry[] };

const POINTS: readonly PointName[] = ['leftHand', 'rightHand'];

/** Gives what hands touch and carry as it stands in contact documents: in order of points, then of time. */
export function contactsOfHands({
  found: { touches, carries },
  rate,
}: {
  found: HandContacts;
  rate: number;
}): Contact[] {
  const time = ({ first, last }: { first: number; last: number }) => ({
    start: first / rate,
    end: last / rate,
    height: 0,
    position: null,
  });
  return [
    ...touches.map((touch) => ({
      point: POINTS[touch.hand]!,
      ...time(touch),
      on: TOUCHED[touch.touched]!,
      ...(touch.apart !== undefined && { apart: touch.apart }),
    })),
    ...carries.map((carry) => ({
      point: 'hands' as const,
      ...time(carry),
      on: 'carried' as const,
      apart: carry.apart,
    })),
  ];
}

/** Reads what somebody has told that hands touch and carry; null where nobody has, so that it is to be found. */
export function toldHands(
  contacts: readonly Contact[] | null,
  { count, rate }: { count: number; rate: number },
  meanApart: (first: number, last: number) => number,
): HandContacts | null {
  if (!contacts?.some(({ on }) => on !== undefined)) return null;
  const told: HandContacts = { touches: [], carries: [] };
  for (const { point, on, start, end, apart } of contacts) {
    const first = Math.max(0, Math.round(start * rate));
    const last = Math.min(count - 1, Math.round(end * rate));
    if (on === undefined || on === 'nothing' || last < first) continue;
    if (on === 'carried') told.carries.push({ first, last, apart: apart ?? meanApart(first, last) });
    else {
      const touched = TOUCHED.indexOf(on);
      const hands = touched === OTHER_HAND ? [0, 1] : [POINTS.indexOf(point)];
      for (const hand of hands)
        told.touches.push({ hand, touched, first, last, ...(apart !== undefined && { apart }) });
    }
  }
  return told;
}
