import type { ReactNode } from 'react';

/** The prerender passes a blog page as children. In the browser there are none, and hydration keeps the HTML. */
export function Component({ children }: { children?: ReactNode }) {
  if (children) return <div className="static-html">{children}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: hydration never writes it
  return <div className="static-html" dangerouslySetInnerHTML={untouched} suppressHydrationWarning />;
}

// Hydration does not compare it with the HTML, and later renders get the same object.
const untouched = { __html: '' };
