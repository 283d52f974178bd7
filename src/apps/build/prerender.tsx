import { modules } from 'site:page-modules';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import type { RenderedPage } from '../../ui/rendered-page.ts';
import { createRoutes } from '../../ui/routes.tsx';
import { pageAt } from '../../ui/site-pages.ts';

/** A page below another, such as a post, exists only with its view. */
export async function renderPage(path: string, view?: object): Promise<RenderedPage> {
  const found = pageAt(path);
  const page = found && (view || found.paths.includes(path)) ? found.name : 'not-found';
  const { Component } = modules[page] ?? {};
  if (!Component) throw new Error(`There is no page '${page}'`);
  const shown = { Component: () => <Component view={view} /> };
  const handler = createStaticHandler(createRoutes(() => Promise.resolve(shown)));
  const context = await handler.query(new Request(new URL(path, 'http://localhost')));
  if (context instanceof Response) throw new Error(`${path} answers ${context.status}`);
  const router = createStaticRouter(handler.dataRoutes, context);
  const { prelude } = await prerender(
    <StaticRouterProvider context={context} hydrate={false} router={router} />,
    {
      onError(error) {
        throw error;
      },
    },
  );
  return { page, ...splitHead(await new Response(prelude).text()) };
}

/** React puts title, meta and link elements first. */
function splitHead(html: string): { head: string; body: string } {
  const head = /^(?:<title>.*?<\/title>|<(?:meta|link)\b[^>]*>)*/s.exec(html)?.[0] ?? '';
  return { head, body: html.slice(head.length) };
}
