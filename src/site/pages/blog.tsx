import type { ReactNode } from 'react';

/** The build puts a page of the blog into it. In the browser it is empty, and hydration leaves the HTML as it is. */
export function Component({ children }: { children?: ReactNode }) {
  if (children) return <div className="static-html">{children}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: never set, only left alone
  return <div className="static-html" dangerouslySetInnerHTML={untouched} suppressHydrationWarning />;
}

// Never set: hydration does not compare it with the HTML, and later renders compare it with itself.
const untouched = { __html: '' };
