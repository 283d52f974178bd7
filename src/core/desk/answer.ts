import type { Context } from 'hono';
import { escapeHtml } from '../../lib/escape-html.ts';
import type { Frame, Notice, Page, PageOf } from './page.ts';

export type Answer<Pages> = (context: Context, page: PageOf<Pages>, status?: Status) => Response;
export type AnyAnswer = (context: Context, page: Page, status?: Status) => Response;
type Status = 200 | 401 | 403 | 404 | 409 | 413 | 422 | 500;

/** The renderer of the views, and the URLs of the browser's files. */
export type DeskRenderer = { render(page: object, frame: object): string; script: string; style: string };

/** A whole page, or for a page that refreshes itself only what its view is made of. */
export function createAnswer({ render, script, style }: DeskRenderer, frame: Frame): AnyAnswer {
  return (context, page, status = 200) => {
    if (context.req.header('accept') === 'application/json') return context.json(page, status);
    const data = JSON.stringify({ page, frame }).replaceAll('<', '\\u003c');
    return context.html(
      `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${page.title} · ${frame.siteName}`)}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}"><script type="module" src="${script}"></script></head>
<body><div id="desk">${render(page, frame)}</div><script type="application/json" id="data">${data}</script></body></html>`,
      status,
    );
  };
}

/** After a post: `?done=NAME` chooses one of these texts, so that no link can show a text of its own. */
export function findNotice(context: Context, texts: Record<string, string>): { notice?: Notice } {
  const text = texts[context.req.query('done') ?? ''];
  return text ? { notice: { kind: 'done', text } } : {};
}
