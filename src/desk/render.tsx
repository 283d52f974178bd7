import { renderToString } from 'react-dom/server';
import { DeskPage } from './components/desk-page.tsx';
import type { Frame, Page } from './pages.ts';

/** The entry of the server's bundle. */
export function render(page: Page, frame: Frame): string {
  return renderToString(<DeskPage frame={frame} page={page} />);
}
