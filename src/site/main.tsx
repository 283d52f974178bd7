import { startTransition, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { ChunkManifest, LoadChunk, stylesDigest } from './chunks.ts';
import { LoadPageContext } from './components/page-link.tsx';
import { loadFullStylesheet } from './load-full-stylesheet.ts';
import { type PageName, paths } from './paths.ts';
import { createRoutes, type LoadPage } from './routes.tsx';

export type HydrationOptions = {
  loadChunk: LoadChunk;
  /** What the loader knows: a page names its own chunks alone. */
  table: ChunkManifest;
  untilQuiet(): Promise<void>;
  beforeHydration(): void;
  afterHydration(): void;
};

/** Takes over the prerendered page. Rejects, with the page untouched, when a chunk or the style sheet cannot be loaded. */
export async function start(handover: HydrationOptions): Promise<void> {
  const { loadChunk, table, untilQuiet, beforeHydration, afterHydration } = handover;
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  Object.assign(table, JSON.parse(import.meta.env.PAGE_CHUNKS));
  const loadPage = loadChunk as LoadPage;
  const page = document.body.dataset.page as PageName;
  // Hydration must render exactly what the HTML shows, so the page's chunk is loaded before it.
  const [{ Component }] = await Promise.all([
    loadPage(page),
    loadFullStylesheet(table.styles, table['styles digest' satisfies typeof stylesDigest]),
  ]);
  await untilQuiet();
  beforeHydration();
  const giveBack = preserveFields();
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

/** A host may have served the page under another address (`/contact.html`). */
function spellAddress(page: PageName): void {
  const path = page === 'blog' ? undefined : paths[page as keyof typeof paths];
  const { pathname, search, hash } = location;
  if (path && path !== pathname) history.replaceState(history.state, '', path + search + hash);
}

function AfterHydration({ run }: { run(): void }) {
  useEffect(run, [run]);
  return null;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Where a translator has changed the page's text, React replaces its elements: fields keep their values and the focus. */
export function preserveFields(): () => void {
  const fields = document.querySelectorAll<Field>('form :is(input, textarea, select)[id]');
  const focused = document.activeElement;
  return () => {
    for (const field of fields) {
      const heir = field.isConnected ? null : (document.getElementById(field.id) as Field | null);
      // A message that waited in the tab may have been restored into it first.
      if (heir?.value === '') heir.value = field.value;
      if (field === focused) heir?.focus({ preventScroll: true });
    }
  };
}
