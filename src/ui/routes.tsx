import { pages } from 'site:pages';
import type { ComponentType } from 'react';
import { Outlet, type RouteObject } from 'react-router';
import { ErrorScreen } from './error-screen.tsx';
import { Layout } from './layout.tsx';
import { reloadsDocument } from './site-pages.ts';

export type PageModule = { Component: ComponentType };
export type LoadPage = (name: string) => Promise<PageModule>;

const routes = [
  ...pages.flatMap(({ name, paths }) => paths.map(path => ({ path, page: name }))),
  { path: '*', page: 'not-found' },
];

/** The error boundary is a route of its own: a lazy route whose import fails never renders its own `errorElement`. */
export function createRoutes(load: LoadPage, loaded?: { page: string } & PageModule): RouteObject[] {
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
          children: routes.map(({ path, page }) =>
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
