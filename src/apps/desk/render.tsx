import { renderToString } from 'react-dom/server';
import { DeskPage } from './components/desk-page.tsx';
import { setDeskBase } from './desk-url.ts';
import type { Frame, Page } from './pages.ts';

/** The entry of the server's bundle. */
export function render(page: Page, frame: Frame): string {
  setDeskBase(frame.prefix ?? '');
  return renderToString(<DeskPage frame={frame} page={page} />);
}
