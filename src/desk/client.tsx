import { useEffect, useState } from 'react';
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
  useEffect(() => guardPosts(setPage), []);
  return (
    <LiveContext value={{ page, show: setPage }}>
      <DeskPage frame={frame} page={page} />
    </LiveContext>
  );
}
