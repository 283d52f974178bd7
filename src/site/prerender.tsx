import { prerender } from 'react-dom/static';
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
import type { PageModule } from './router/create-router.ts';
import { ShownPage } from './site.tsx';

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
  const page = pageAt(path) ?? 'not-found';
  const place = { pathname: path, search: '', hash: '', key: '' };
  const { prelude } = await prerender(
    <ShownPage shown={{ place, Page: pages[page].Component, isLoading: false }} />,
    {
      onError(error) {
        throw error;
      },
    },
  );
  return { page, ...splitHead(await new Response(prelude).text()) };
}

/** React puts what belongs into head at the front of a fragment. */
function splitHead(html: string): { head: string; body: string } {
  const head = /^(?:<title>.*?<\/title>|<(?:meta|link)\b[^>]*>)*/s.exec(html)?.[0] ?? '';
  return { head, body: html.slice(head.length) };
}
