import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { LoadChunk } from './chunks.ts';
import { keepTyped } from './keep-typed.ts';
import type { PageName } from './paths.ts';
import { createRouter, type LoadPage } from './router/create-router.ts';
import { Site } from './site.tsx';

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
  // What the HTML says it is, and not what its address says: a host may have spelt that in its own way.
  const router = await createRouter(loadChunk as LoadPage, document.body.dataset.page as PageName);
  beforeHydration();
  const giveBack = keepTyped();
  function arrived(): void {
    giveBack();
    afterHydration();
  }
  startTransition(() => {
    hydrateRoot(root, <Site afterHydration={arrived} router={router} />);
  });
}
