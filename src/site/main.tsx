import { startTransition, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, matchRoutes, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { LoadChunk } from './chunks.ts';
import { PageLoader } from './parts/page-link.tsx';
import { createRoutes, type LoadPage } from './routes.tsx';
import { prepareScroll } from './scroll.ts';

export type Handover = {
  loadChunk: LoadChunk;
  /** React listens from here on: a click is its own to handle. */
  beforeHydration(): void;
  afterHydration(): void;
};

/** Takes the prerendered page over. Rejects, with the page untouched, when the page's own chunk cannot be had. */
export async function start({ loadChunk, beforeHydration, afterHydration }: Handover): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  const loadPage = loadChunk as LoadPage;
  const routes = createRoutes(loadPage);
  await loadMatched(routes);
  prepareScroll();
  // With hydration data the router leaves the scroll position alone: the visitor may be half-way down already.
  const router = createBrowserRouter(routes, { hydrationData: { loaderData: {} } });
  beforeHydration();
  startTransition(() => {
    hydrateRoot(root, <Site afterHydration={afterHydration} loadPage={loadPage} router={router} />);
  });
}

type SiteProps = {
  router: ReturnType<typeof createBrowserRouter>;
  loadPage: LoadPage;
  afterHydration(): void;
};

function Site({ router, loadPage, afterHydration }: SiteProps) {
  useEffect(afterHydration, [afterHydration]);
  return (
    <PageLoader value={loadPage}>
      <RouterProvider router={router} />
    </PageLoader>
  );
}

/** Hydration must render what the HTML shows, so the page of this address is there before it begins. */
async function loadMatched(routes: RouteObject[]): Promise<void> {
  for (const { route } of matchRoutes(routes, location) ?? []) {
    if (typeof route.lazy !== 'function') continue;
    Object.assign(route, await route.lazy(), { lazy: undefined });
  }
}
