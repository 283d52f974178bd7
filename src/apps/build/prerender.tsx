import { audit as auditContent } from 'content:audit';
import { prerender } from 'react-dom/static';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import * as audit from '../../features/audit/pages/audit.tsx';
import * as auditAbout from '../../features/audit/pages/audit-about.tsx';
import * as auditReport from '../../features/audit/pages/audit-report.tsx';
import { renderTemplate } from '../../features/audit/pages/render-report.tsx';
import type { BlogView } from '../../features/blog/blog-types.ts';
import * as blog from '../../features/blog/pages/blog.tsx';
import { BlogMeta } from '../../features/blog/pages/blog-meta.tsx';
import { ListPage } from '../../features/blog/pages/list-page.tsx';
import { PostPage } from '../../features/blog/pages/post-page.tsx';
import * as contact from '../../features/messages/pages/contact.tsx';
import * as newsletter from '../../features/newsletter/pages/newsletter.tsx';
import { ReportPage } from '../../features/sample-report/pages/report-page.tsx';
import * as sample from '../../features/sample-report/pages/sample.tsx';
import * as faq from '../../features/site/pages/faq.tsx';
import * as home from '../../features/site/pages/home.tsx';
import * as notFound from '../../features/site/pages/not-found.tsx';
import * as privacy from '../../features/site/pages/privacy.tsx';
import * as security from '../../features/site/pages/security.tsx';
import * as services from '../../features/site/pages/services.tsx';
import * as terms from '../../features/site/pages/terms.tsx';
import { PageMeta } from '../../ui/components/page-meta.tsx';
import { auditPaths, type PageName, pageAt } from '../../ui/paths.ts';
import type { RenderedPage } from '../../ui/rendered-page.ts';
import { createRoutes, type PageModule } from '../../ui/routes.tsx';

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
