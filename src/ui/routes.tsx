import type { ComponentType } from 'react';
import { Outlet, type RouteObject } from 'react-router';
import { ErrorScreen } from './error-screen.tsx';
import { Layout } from './layout.tsx';
import { auditPaths, newsletterPaths, type PageName, paths, reloadsDocument } from './paths.ts';

export type PageModule = { Component: ComponentType };
export type LoadPage = (name: PageName) => Promise<PageModule>;

const pages: { path: string; page: PageName }[] = [
  ...Object.entries(paths).map(([page, path]) => ({ path, page: page as PageName })),
  { path: `${paths.blog}/*`, page: 'blog' },
  { path: `${auditPaths.report}/*`, page: 'audit-report' },
  ...Object.values(newsletterPaths).map(path => ({ path, page: 'newsletter' as const })),
  { path: '*', page: 'not-found' },
];

/** The error boundary is a route of its own: a lazy route whose import fails never renders its own `errorElement`. */
export function createRoutes(load: LoadPage, loaded?: { page: PageName } & PageModule): RouteObject[] {
  return [
    {
      element: (
        <Layout>
          <Outlet />
        </Layout>
      ),
      errorElement: <ErrorScreen isWholePage />,
      children: [
        {
          errorElement: <ErrorScreen />,
          children: pages.map(({ path, page }) =>
            // The router never navigates to the blog or a report: their URLs show the page that was loaded, or the 404 page.
            loaded && (page === loaded.page || reloadsDocument(path))
              ? { path, caseSensitive: true, Component: loaded.Component }
              : { path, caseSensitive: true, lazy: () => load(page) },
          ),
        },
      ],
    },
  ];
}
