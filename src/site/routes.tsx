import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { ErrorScreen } from './parts/error-screen.tsx';
import { Layout } from './parts/layout.tsx';
import { type PageName, paths, stepPaths } from './paths.ts';

export type PageModule = { Component: ComponentType };
export type LoadPage = (name: PageName) => Promise<PageModule>;

/**
 * Every URL of the site. An error boundary on a lazy route is not there yet when its import fails, so the pathless
 * route between the layout and the pages carries it: the layout stays.
 */
export function createRoutes(loadPage: LoadPage): RouteObject[] {
  const page = (name: PageName, path: string): RouteObject => ({
    id: path,
    path,
    lazy: () => loadPage(name),
  });
  // Without a server of ours there is nothing to confirm at, and nothing to leave.
  const steps = import.meta.env.IS_STATIC ? [] : Object.values(stepPaths);
  return [
    {
      Component: Layout,
      errorElement: <ErrorScreen isWholePage />,
      children: [
        {
          errorElement: <ErrorScreen />,
          children: [
            ...Object.entries(paths).map(([name, path]) => page(name as PageName, path)),
            ...steps.map(path => page('newsletter', path)),
            page('not-found', '*'),
          ],
        },
      ],
    },
  ];
}
