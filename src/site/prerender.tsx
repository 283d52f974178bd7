import { audit as auditContent } from 'content:audit';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import type { BlogView } from '../content/blog/blog-types.ts';
import { renderTemplate } from './audit/render-report.tsx';
import { BlogMeta } from './blog/blog-meta.tsx';
import { ListPage } from './blog/list-page.tsx';
import { PostPage } from './blog/post-page.tsx';
import { PageMeta } from './components/page-meta.tsx';
import * as audit from './pages/audit.tsx';
import * as auditAbout from './pages/audit-about.tsx';
import * as auditReport from './pages/audit-report.tsx';
import * as blog from './pages/blog.tsx';
import * as contact from './pages/contact.tsx';
import * as faq from './pages/faq.tsx';
import * as home from './pages/home.tsx';
import * as newsletter from './pages/newsletter.tsx';
import * as notFound from './pages/not-found.tsx';
import * as privacy from './pages/privacy.tsx';
import * as sample from './pages/sample.tsx';
import * as security from './pages/security.tsx';
import * as services from './pages/services.tsx';
import * as terms from './pages/terms.tsx';
import { auditPaths, type PageName, pageAt } from './paths.ts';
import type { RenderedPage } from './rendered-page.ts';
import { createRoutes, type PageModule } from './routes.tsx';
import { ReportPage } from './sample/report-page.tsx';

const pages: Record<PageName, PageModule> = {
  home,
  services,
  contact,
  privacy,
  faq,
  terms,
  security,
  sample: { Component: SamplePage },
  blog,
  audit,
  'audit-about': auditAbout,
  'audit-report': { Component: AuditReportPage },
  newsletter,
  'not-found': notFound,
};

export async function renderPage(path: string, view?: BlogView): Promise<RenderedPage> {
  const page = findPageName(path, view);
  const pageModule = view ? { Component: () => <BlogPage view={view} /> } : pages[page];
  const handler = createStaticHandler(createRoutes(() => Promise.resolve(pageModule)));
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

function SamplePage() {
  return (
    <sample.Component>
      <ReportPage />
    </sample.Component>
  );
}

function BlogPage({ view }: { view: BlogView }) {
  return (
    <blog.Component>
      <BlogMeta view={view} />
      {view.kind === 'list' ? <ListPage view={view} /> : <PostPage view={view} />}
    </blog.Component>
  );
}

function AuditReportPage() {
  return (
    <>
      <PageMeta texts={auditContent.report} />
      <auditReport.Component html={renderTemplate()} />
    </>
  );
}

function findPageName(path: string, view: BlogView | undefined): PageName {
  if (view) return 'blog';
  if (path === auditPaths.report) return 'audit-report';
  const page = pageAt(path);
  return page === undefined || page === 'blog' || page === 'audit-report' ? 'not-found' : page;
}

/** React puts title, meta and link elements first. */
function splitHead(html: string): { head: string; body: string } {
  const head = /^(?:<title>.*?<\/title>|<(?:meta|link)\b[^>]*>)*/s.exec(html)?.[0] ?? '';
  return { head, body: html.slice(head.length) };
}
