import { type ComponentType, useEffect, useRef } from 'react';
import { Outlet, type RouteObject, useLocation, useRouteError } from 'react-router';
import { count } from './count.ts';
import { ErrorScreen } from './parts/error-screen.tsx';
import { Layout } from './parts/layout.tsx';
import { type PageName, paths, stepPaths } from './paths.ts';

export type PageModule = { Component: ComponentType };
export type LoadPage = (name: PageName) => Promise<PageModule>;

/** Each URL and its page. The blog's pages are documents of their own: the browser loads each from the host. */
const pages: { path: string; page: PageName }[] = [
  ...Object.entries(paths).map(([page, path]) => ({ path, page: page as PageName })),
  { path: `${paths.blog}/*`, page: 'blog' },
  ...Object.values(stepPaths).map(path => ({ path, page: 'newsletter' as const })),
  { path: '*', page: 'not-found' },
];

/**
 * Every URL of the site. Pages are lazy, except the one that hydration starts with. The boundary is a route of its own:
 * a lazy route whose import fails never renders its own `errorElement`.
 */
export function createRoutes(load: LoadPage, loaded?: { page: PageName } & PageModule): RouteObject[] {
  return [
    {
      element: <Frame />,
      errorElement: <Failure isWholePage />,
      children: [
        {
          errorElement: <Failure />,
          children: pages.map(({ path, page }) =>
            // The router never leads to the blog: what is at such an address is what the HTML shows, a post or the 404 page.
            loaded && (page === loaded.page || page === 'blog')
              ? { path, caseSensitive: true, Component: loaded.Component }
              : { path, caseSensitive: true, lazy: () => load(page) },
          ),
        },
      ],
    },
  ];
}

function Frame() {
  const { pathname } = useLocation();
  useCountedViews(pathname);
  return (
    <Layout>
      <Outlet />
    </Layout>
  );
}

function useCountedViews(pathname: string): void {
  const counted = useRef(pathname);
  useEffect(() => {
    if (counted.current !== pathname) count('view');
    counted.current = pathname;
  }, [pathname]);
}

function Failure({ isWholePage }: { isWholePage?: boolean | undefined }) {
  return <ErrorScreen error={useRouteError()} isWholePage={isWholePage} />;
}
