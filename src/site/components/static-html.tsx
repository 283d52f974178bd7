import type { ReactNode } from 'react';

/** The prerender passes a page as children. In the browser there are none, and hydration keeps the HTML. */
export function StaticHtml({ children }: { children?: ReactNode }) {
  if (children) return <div className="static-html">{children}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: hydration never writes it
  return <div className="static-html" dangerouslySetInnerHTML={keptHtml} suppressHydrationWarning />;
}

// React keeps the server's HTML: hydration does not compare inner HTML, and later renders get the same object.
const keptHtml = { __html: '' };
