import { findNamed } from '../find-named.ts';
import type { Place } from './place.ts';

const storageKey = 'scroll-positions';

type Positions = Record<string, number>;

/**
 * How far down each step of the history was read. The browser's own memory serves documents: it is asked for nothing
 * while pages change within one, and has its turn again when the document is left.
 */
export function createScroll(first: Place) {
  const positions = readPositions();
  /** The step that is on the screen: one that was left before it came has no position. */
  let here = first.key;
  const leave = () => {
    positions[here] = scrollY;
  };

  /** Where it was left, or at what its address names, or at the top. */
  function arrive({ key, hash }: Place): void {
    here = key;
    const known = positions[key];
    const named = findNamed(hash);
    if (known !== undefined) scrollTo({ top: known, behavior: 'instant' });
    else if (named) named.scrollIntoView({ behavior: 'instant' });
    else scrollTo({ top: 0, behavior: 'instant' });
  }

  return {
    leave,

    beginsAtTop: ({ key, hash }: Place) => positions[key] === undefined && !hash,

    arrive,

    /** A browser keeps how far down it is when it loads a page again: the one that goes has room for that. */
    arriveByReload(place: Place): void {
      document.body.style.minHeight = `${(positions[place.key] ?? 0) + innerHeight}px`;
      arrive(place);
    },

    /** Holds the memory for as long as pages change here, and stores it when the document is left. */
    keep(): () => void {
      const take = () => {
        history.scrollRestoration = 'manual';
      };
      const giveBack = () => {
        leave();
        writePositions(positions);
        history.scrollRestoration = 'auto';
      };
      take();
      addEventListener('pageshow', take);
      addEventListener('pagehide', giveBack);
      return () => {
        removeEventListener('pageshow', take);
        removeEventListener('pagehide', giveBack);
      };
    },
  };
}

function readPositions(): Positions {
  try {
    return { ...JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') };
  } catch {
    // Storage may be denied; Back then goes to the top of a page, which is no harm.
    return {};
  }
}

function writePositions(positions: Positions): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(positions));
  } catch {
    // As above.
  }
}
