import {
  type ButtonHTMLAttributes,
  type ComponentType,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { beginFetching } from '../settled.js';

/**
 * A part of the page that comes when it is first shown: what nobody opens is not fetched. The page is not settled
 * before it stands there. Where it cannot be had any more, it says so in its place, and everything else stays; opened
 * once more, it is asked for once more. No `lazy`: React holds what comes within 300 ms back until they have passed,
 * and people look at an empty panel meanwhile.
 */
export function later<Given extends object>(
  load: () => Promise<ComponentType<Given>>,
  meanwhile: (given: Given) => ReactNode = () => null,
): ComponentType<Given> {
  let fetched: ComponentType<Given> | null = null;
  return function Later(given: Given) {
    const [Part, show] = useState<ComponentType<Given> | null>(() => fetched);
    const end = useRef<(() => void) | null>(null);
    useLayoutEffect(() => {
      if (fetched) return;
      let isGone = false;
      end.current = beginFetching();
      const take = (part: ComponentType<Given>) => {
        if (!isGone) show(() => part);
      };
      load().then(
        (part) => {
          fetched = part;
          take(part);
        },
        () => take(NotThere),
      );
      return () => {
        isGone = true;
        end.current?.();
        end.current = null;
      };
    }, []);
    useLayoutEffect(() => {
      if (!Part) return;
      end.current?.();
      end.current = null;
    }, [Part]);
    return Part ? <Part {...given} /> : meanwhile(given);
  };
}

/** What opens from a button, which is what it is given. */
type Opened = { children: ReactElement };

/**
 * A menu or the like that is fetched when its button is pressed for the first time, and stands open then.
 * @param load Gives it with its button as trigger, open from the start.
 */
export function openedLater<Given extends Opened>(
  load: () => Promise<ComponentType<Given>>,
  kind: 'menu' | 'dialog' = 'menu',
): ComponentType<Given> {
  const Part = later(load, ({ children }) => children);
  return function OpenedLater(given: Given) {
    const [isAsked, ask] = useState(false);
    if (isAsked) return <Part {...given} />;
    return cloneElement(given.children as ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>, {
      'aria-haspopup': kind,
      'aria-expanded': false,
      onClick: () => ask(true),
    });
  };
}

function NotThere() {
  return (
    <p className="quiet" role="alert">
      This part could not be fetched. Is the studio still running? Your work is saved: start it again and
      reload.
    </p>
  );
}
