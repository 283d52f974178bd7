import { createContext, useContext } from 'react';
import type { Router, Shown } from './create-router.ts';
import type { Place } from './place.ts';

export type Way = {
  shown: Pick<Shown, 'place' | 'isLoading' | 'isFresh'>;
  /** Absent while pages are prerendered. */
  router?: Router;
};

const start: Way = {
  shown: { place: { pathname: '/', search: '', hash: '', key: '' }, isLoading: false },
};

export const WayContext = createContext<Way>(start);

/** The place of the page that is shown. */
export function usePlace(): Place {
  return useContext(WayContext).shown.place;
}

export function useIsLoading(): boolean {
  return useContext(WayContext).shown.isLoading;
}

export function useIsFresh(): boolean {
  return useContext(WayContext).shown.isFresh === true;
}

export function useRouter(): Router | undefined {
  return useContext(WayContext).router;
}
