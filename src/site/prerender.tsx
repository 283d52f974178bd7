import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import * as contact from './pages/contact.tsx';
import * as faq from './pages/faq.tsx';
import * as home from './pages/home.tsx';
import * as newsletter from './pages/newsletter.tsx';
import * as notFound from './pages/not-found.tsx';
import * as privacy from './pages/privacy.tsx';
import * as security from './pages/security.tsx';
import * as services from './pages/services.tsx';
import * as terms from './pages/terms.tsx';
import { type PageName, pageAt } from './paths.ts';
import type { RenderedPage } from './rendered-page.ts';
import { createRoutes, type PageModule } from './routes.tsx';

const pages: Record<PageName, PageModule> = {
  home,
  services,
  contact,
  privacy,
  faq,
  terms,
  security,
  newsletter,
  'not-found': notFound,
};

/** Renders one address to complete HTML. Nothing in it needs JavaScript. */
export async function renderPage(path: string): Promise<RenderedPage> {
  const { query, dataRoutes } = createStaticHandler(createRoutes(async name => pages[name]));
  const context = await query(new Request(`http://site.invalid${path}`));
  if (context instanceof Response) throw new Error(`${path} answered with a redirect`);
  const failure = Object.values(context.errors ?? {})[0];
  if (failure) throw failure;
  const router = createStaticRouter(dataRoutes, context);
  const { prelude } = await prerender(
    <StaticRouterProvider context={context} hydrate={false} router={router} />,
    {
      onError(error) {
        throw error;
      },
    },
  );
  return { page: pageAt(path) ?? 'not-found', ...splitHead(await new Response(prelude).text()) };
}

/** React puts what belongs into head at the front of a fragment. */
function splitHead(html: string): { head: string; body: string } {
  const head = /^(?:<title>.*?<\/title>|<(?:meta|link)\b[^>]*>)*/s.exec(html)?.[0] ?? '';
  return { head, body: html.slice(head.length) };
}
