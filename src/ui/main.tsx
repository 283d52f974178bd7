import { startTransition, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { ChunkError, ChunkManifest, chunkTimeoutMs, LoadChunk, stylesDigest } from './chunks.ts';
import { LoadPageContext } from './components/page-link.tsx';
import { createRoutes, type LoadPage } from './routes.tsx';
import { findPage } from './site-pages.ts';

export type HydrationOptions = {
  loadChunk: LoadChunk;
  /** Shared with the loader: the page's HTML lists its own chunks only, the rest is added here. */
  chunkManifest: ChunkManifest;
  waitForIdle(): Promise<void>;
  beforeHydration(): void;
  afterHydration(): void;
};

export async function start(options: HydrationOptions): Promise<void> {
  const { loadChunk, chunkManifest, waitForIdle, beforeHydration, afterHydration } = options;
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element');
  Object.assign(chunkManifest, import.meta.env.PAGE_CHUNKS);
  const loadPage = loadChunk as LoadPage;
  const page = document.body.dataset.page ?? '';
  // Hydration must render exactly what the HTML shows, so the page's chunk is loaded before it.
  const [{ Component }] = await Promise.all([
    loadPage(page),
    loadFullStylesheet(chunkManifest.styles, chunkManifest['styles digest' satisfies typeof stylesDigest]),
  ]);
  await waitForIdle();
  beforeHydration();
  const restoreFields = preserveFields();
  function onHydrated(): void {
    restoreFields();
    // A separate task, so that a tap waits for one of the two at most.
    setTimeout(afterHydration);
  }
  normalizeUrl(page);
  // With hydration data the router does not scroll at its start: the visitor may be half-way down the page.
  const router = createBrowserRouter(createRoutes(loadPage, { page, Component }), {
    hydrationData: { loaderData: {} },
  });
  startTransition(() => {
    hydrateRoot(
      root,
      <LoadPageContext value={loadPage}>
        <RouterProvider router={router} />
        <AfterHydration run={onHydrated} />
      </LoadPageContext>,
    );
  });
}

/** A host may have served the page under another address (`/contact.html`). */
function normalizeUrl(page: string): void {
  const [path, ...others] = findPage(page)?.paths ?? [];
  const { pathname, search, hash } = location;
  if (path && others.length === 0 && path !== pathname)
    history.replaceState(history.state, '', path + search + hash);
}

function AfterHydration({ run }: { run(): void }) {
  useEffect(run, [run]);
  return null;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** React replaces elements that a page translator has changed: the new ones get the old text, values and focus. */
function preserveFields(): () => void {
  const text = document.querySelector('.static-html');
  const fields = document.querySelectorAll<Field>('form :is(input, textarea, select)[id]');
  const focused = document.activeElement;
  return () => {
    if (text && !text.isConnected)
      document.querySelector('.static-html')?.replaceChildren(...text.childNodes);
    for (const field of fields) {
      const replacement = field.isConnected ? null : (document.getElementById(field.id) as Field | null);
      // An unsent message may have been restored into it first.
      if (replacement?.value === '') replacement.value = field.value;
      if (field === focused) replacement?.focus({ preventScroll: true });
    }
  };
}

let stylesheetLoading: Promise<void> | undefined;

/** A page's HTML contains only its own rules; React needs those of every page. The dev server needs no second file. */
function loadFullStylesheet(url: string | undefined, digest = ''): Promise<void> {
  if (!url) return Promise.resolve();
  stylesheetLoading ??= appendStylesheet(url, digest);
  return stylesheetLoading;
}

async function appendStylesheet(url: string, digest: string): Promise<void> {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'stylesheet', href: url, integrity: digest });
  try {
    await new Promise((resolve, reject) => {
      setTimeout(reject, 120_000 satisfies typeof chunkTimeoutMs);
      link.onload = resolve;
      link.onerror = reject;
      document.head.append(link);
    });
  } catch {
    link.remove();
    stylesheetLoading = undefined;
    // Not chunkError(): a module shared with the boot script would be fetched before React is needed.
    const properties: Pick<ChunkError, 'name' | 'chunk'> = { name: 'ChunkError', chunk: 'styles' };
    throw Object.assign(new Error('Loading the style sheet failed'), properties);
  }
}
