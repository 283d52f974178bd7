import type { ComponentProps, ReactNode } from 'react';

type StaticHtmlProps = Pick<ComponentProps<'div'>, 'ref'> & {
  children?: ReactNode;
  html?: string | undefined;
  'data-theme'?: string;
};

/** The prerender passes a page as children or as HTML. In the browser there is neither, and hydration keeps the HTML. */
export function StaticHtml({ children, html, ...attributes }: StaticHtmlProps) {
  if (children) return <div className="static-html">{children}</div>;
  return (
    <div
      className="static-html"
      {...attributes}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: HTML of our own prerender; in the browser nothing but an empty text
      dangerouslySetInnerHTML={html === undefined ? keptHtml : { __html: html }}
      suppressHydrationWarning
    />
  );
}

// React keeps the server's HTML: hydration does not compare inner HTML, and later renders get the same object. Where a
// translator changed other elements, React renders anew and main.tsx puts the text back; Trusted Types allow this empty one.
const keptHtml = {
  __html: (globalThis as { trustedTypes?: { emptyHTML: string } }).trustedTypes?.emptyHTML ?? '',
};
