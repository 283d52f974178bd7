import { startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { count } from './count.ts';
import { ErrorScreen } from './parts/error-screen.tsx';
import { Layout } from './parts/layout.tsx';
import { WayContext } from './router/context.ts';
import type { Router, Shown } from './router/create-router.ts';
import { ErrorBoundary } from './router/error-boundary.tsx';

/** The site that changes its pages by itself. */
export function Site({ router, afterHydration }: { router: Router; afterHydration(): void }) {
  const [shown, setShown] = useState(router.first);
  const arrived = useRef(shown.place);
  const counted = useRef(shown.place.pathname);
  // Before anybody can press: a link that was followed unheard would move the address alone.
  useLayoutEffect(() => router.listen(next => showNext(next, () => setShown(next))), [router]);
  useEffect(afterHydration, [afterHydration]);
  useLayoutEffect(() => {
    if (arrived.current === shown.place) return;
    arrived.current = shown.place;
    router.arrive(shown.place);
    if (shown.hasFailed || counted.current === shown.place.pathname) return;
    counted.current = shown.place.pathname;
    count('view');
  }, [router, shown]);
  return <ShownPage router={router} shown={shown} />;
}

/** The opening of a page is little enough to be made in one go; a whole page lets typing and tapping go first. */
function showNext({ isFresh }: Shown, show: () => void): void {
  if (isFresh) show();
  else startTransition(show);
}

/** One page in its frame, in the browser and in the build alike. What a page throws leaves the frame standing. */
export function ShownPage({ router, shown }: { router?: Router; shown: Shown }) {
  const { place, Page } = shown;
  const way = useMemo(() => ({ shown, ...(router ? { router } : {}) }), [router, shown]);
  return (
    <WayContext value={way}>
      <ErrorBoundary attempt={place.key} render={error => <ErrorScreen error={error} isWholePage />}>
        <Layout>
          <ErrorBoundary attempt={place.key} render={error => <ErrorScreen error={error} />}>
            <Page key={place.pathname} />
          </ErrorBoundary>
        </Layout>
      </ErrorBoundary>
    </WayContext>
  );
}
