let base = '';

/** The prefix below which this process serves the desk. It is set before a view is rendered, here and in the browser. */
export function setDeskBase(prefix: string): void {
  base = prefix;
}

/** For every link, form and frame of a view: routes and props have paths without the prefix. */
export function deskUrl(path: string): string {
  return `${base}${path}`;
}

/** The path that a route has; undefined outside the desk. */
export function deskPath(pathname: string): string | undefined {
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined;
}
