import { renderToString } from 'react-dom/server';
import type { Frame, Page } from '../../core/desk/page.ts';
import { setDeskBase } from '../../ui/desk/desk-url.ts';
import { DeskPage } from './components/desk-page.tsx';

/** The entry of the server's bundle. */
export function render(page: Page, frame: Frame): string {
  setDeskBase(frame.prefix ?? '');
  return renderToString(<DeskPage frame={frame} page={page} />);
}
