import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { ChunkTable, LoadChunk, stylesDigest } from './chunks.ts';
import { keepTyped } from './keep-typed.ts';
import type { PageName } from './paths.ts';
import { createRouter, type LoadPage } from './router/create-router.ts';
import { Site } from './site.tsx';
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
  // What the HTML says it is, and not what its address says: a host may have spelt that in its own way.
  const page = document.body.dataset.page as PageName;
  const [router] = await Promise.all([
    createRouter(loadChunk as LoadPage, page),
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
  startTransition(() => {
    hydrateRoot(root, <Site afterHydration={arrived} router={router} />);
  });
}
