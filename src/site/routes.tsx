import type { ComponentType } from 'react';
import { Outlet, type RouteObject } from 'react-router';
import { ErrorScreen } from './components/error-screen.tsx';
import { Layout } from './components/layout.tsx';
import { newsletterPaths, type PageName, paths } from './paths.ts';

export type PageModule = { Component: ComponentType };
export type LoadPage = (name: PageName) => Promise<PageModule>;

const pages: { path: string; page: PageName }[] = [
  ...Object.entries(paths).map(([page, path]) => ({ path, page: page as PageName })),
  { path: `${paths.blog}/*`, page: 'blog' },
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
            // The router never navigates to the blog: a blog URL shows the page that was loaded, a post or the 404 page.
            loaded && (page === loaded.page || page === 'blog')
              ? { path, caseSensitive: true, Component: loaded.Component }
              : { path, caseSensitive: true, lazy: () => load(page) },
          ),
        },
      ],
    },
  ];
}
