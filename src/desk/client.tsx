import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { DeskPage } from './components/desk-page.tsx';
import { guardPosts } from './components/guard-posts.tsx';
import { LiveContext } from './components/use-live.tsx';
import type { Frame, Page } from './pages.ts';

type Data = { page: Page; frame: Frame };

const container = document.getElementById('desk');
const data: Data = JSON.parse(document.getElementById('data')?.textContent ?? '');
if (container) hydrateRoot(container, <Desk {...data} />);

function Desk({ page: first, frame }: Data) {
  const [page, setPage] = useState(first);
  useEffect(() => guardPosts(text => showRefusal(setPage, text)), []);
  return (
    <LiveContext value={setPage}>
      <DeskPage frame={frame} page={page} />
    </LiveContext>
  );
}

/** The button may be far below the notice. */
function showRefusal(setPage: Dispatch<SetStateAction<Page>>, text: string): void {
  flushSync(() => setPage(present => ({ ...present, notice: { kind: 'failed', text } })));
  document.querySelector('main > [role=alert]')?.scrollIntoView({ block: 'center' });
}
