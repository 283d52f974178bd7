import { useEffect, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import type { Frame, Page } from '../../core/desk/page.ts';
import { setDeskBase } from '../../ui/desk/desk-url.ts';
import { findOpenDesk, rememberDesk } from '../../ui/desk/fetch-desk.tsx';
import { guardPosts } from '../../ui/desk/guard-posts.tsx';
import { LiveContext } from '../../ui/desk/use-live.tsx';
import { DeskPage } from './components/desk-page.tsx';

type Data = { page: Page; frame: Frame };

const container = document.getElementById('desk');
const data: Data = JSON.parse(document.getElementById('data')?.textContent ?? '');
const { prefix } = data.frame;
setDeskBase(prefix ?? '');
if (container) hydrateRoot(container, <Desk {...data} />);
if (prefix) rememberDesk(prefix);
else void leadOn();

/** From a link that was used, or a page of a desk that was restarted, where this browser is signed in. */
async function leadOn(): Promise<void> {
  const found = await findOpenDesk();
  const [earlier = ''] = /^\/[\w-]{43}(?=\/)/.exec(location.pathname) ?? [];
  const path = earlier && location.pathname.slice(earlier.length) + location.search + location.hash;
  if (found) location.replace(found + (path || '/'));
}

function Desk({ page: first, frame }: Data) {
  const [page, setPage] = useState(first);
  useEffect(() => guardPosts(setPage), []);
  return (
    <LiveContext value={{ page, show: setPage }}>
      <DeskPage frame={frame} page={page} />
    </LiveContext>
  );
}
