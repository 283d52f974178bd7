import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { afterFrame } from '../after-frame.ts';
import { useIsFresh } from '../router/context.ts';
import type { World } from './section.tsx';

type LaterProps = {
  /** Of what comes first: until it is there, its ground is. */
  world: World;
  children: ReactNode;
};

/**
 * What follows the opening of a page. Where a link led to its top, the opening is painted before this is made; a page
 * that was prerendered, that is gone back to or that is entered further down is whole at once.
 */
export function Later({ world, children }: LaterProps) {
  const isFresh = useIsFresh();
  const [isDue, setIsDue] = useState(!isFresh);
  useEffect(() => (isDue ? undefined : afterFrame(() => startTransition(() => setIsDue(true)))), [isDue]);
  return isDue || !isFresh ? children : <div className="min-h-dvh" data-world={world} />;
}
