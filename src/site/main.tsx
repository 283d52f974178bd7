import { startTransition, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { ChunkTable, LoadChunk, stylesDigest } from './chunks.ts';
import { keepTyped } from './keep-typed.ts';
import { collectLateFonts } from './late-fonts.ts';
import { LoadPageContext } from './parts/page-link.tsx';
import { type PageName, paths } from './paths.ts';
import { createRoutes, type LoadPage } from './routes.tsx';
import { loadWholeSheet } from './whole-sheet.ts';

export type Handover = {
  loadChunk: LoadChunk;
  /** What the loader knows: a page names its own chunks alone. */
  table: ChunkTable;
  /** Until nothing of what the visitor does waits for an answer. */
  untilQuiet(): Promise<void>;
  /** React listens from here on: a click is its own to handle. */
  beforeHydration(): void;
  afterHydration(): void;
};

/** Takes the prerendered page over. Rejects, with the page untouched, when what it needs cannot be had. */
export async function start(handover: Handover): Promise<void> {
  const { loadChunk, table, untilQuiet, beforeHydration, afterHydration } = handover;
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  Object.assign(table, JSON.parse(import.meta.env.PAGE_CHUNKS));
  const loadPage = loadChunk as LoadPage;
  const page = document.body.dataset.page as PageName;
  // Hydration must render exactly what the HTML shows, so its page is loaded before.
  const [{ Component }] = await Promise.all([
    loadPage(page),
    loadWholeSheet(table.styles, table['styles digest' satisfies typeof stylesDigest]),
  ]);
  await untilQuiet();
  beforeHydration();
  const giveBack = keepTyped();
  function arrived(): void {
    giveBack();
    // In a task of its own, so that a tap waits for one of the two at most.
    setTimeout(afterHydration);
  }
  spellAddress(page);
  // With hydration data the router restores no scroll position at its start: the visitor may be half-way down the page.
  const router = createBrowserRouter(createRoutes(loadPage, { page, Component }), {
    hydrationData: { loaderData: {} },
  });
  const showLateFonts = collectLateFonts();
  const firstPath = location.pathname;
  router.subscribe(({ location }) => {
    if (location.pathname !== firstPath) showLateFonts();
  });
  startTransition(() => {
    hydrateRoot(
      root,
      <LoadPageContext value={loadPage}>
        <RouterProvider router={router} />
        <AfterHydration run={arrived} />
      </LoadPageContext>,
    );
  });
}

/** The HTML says which page it is. A host may have spelt its address in another way (`/contact.html`). */
function spellAddress(page: PageName): void {
  const path = page === 'blog' ? undefined : paths[page as keyof typeof paths];
  const { pathname, search, hash } = location;
  if (path && path !== pathname) history.replaceState(history.state, '', path + search + hash);
}

function AfterHydration({ run }: { run(): void }) {
  useEffect(run, [run]);
  return null;
}
