import { type ComponentType, lazy } from 'react';
import { whileFetching } from '../settled.js';

/**
 * A part of the page that comes when it is first shown: what nobody opens is not fetched. The page is not settled
 * meanwhile. Where it cannot be had any more, it says so in its place, and everything else stays.
 */
export function later<Given extends object>(load: () => Promise<ComponentType<Given>>) {
  return lazy(async () => {
    try {
      return { default: await whileFetching(load()) };
    } catch {
      return { default: NotThere as ComponentType<Given> };
    }
  });
}

function NotThere() {
  return (
    <p className="quiet" role="alert">
      This part could not be fetched. Is the studio still running? Your work is saved: start it again and
      reload.
    </p>
  );
}
