import type { ReactNode } from 'react';

/**
 * The place of the blog's pages. The build puts one into it; in the browser it is empty, no script holds its words, and
 * hydration leaves the HTML in it as it is.
 */
export function Component({ children }: { children?: ReactNode }) {
  if (children) return <div className="kept">{children}</div>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: never set, only left alone
  return <div className="kept" dangerouslySetInnerHTML={untouched} suppressHydrationWarning />;
}

// Never set: React compares it with nothing when it takes over, and with itself from then on.
const untouched = { __html: '' };
