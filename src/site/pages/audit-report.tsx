import { auditPaths } from '../../api/contract.ts';

/** The prerender passes the HTML. In the browser there is none, and hydration keeps what the server sent. */
export function Component({ html }: { html?: string }) {
  return (
    <div
      className="static-html"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: hydration never writes it
      dangerouslySetInnerHTML={html === undefined ? keptHtml : { __html: html }}
      data-theme="ink"
      ref={listen}
      suppressHydrationWarning
    />
  );
}

const keptHtml = { __html: '' };

/** The page's controls are not React's. */
function listen(page: HTMLDivElement | null) {
  async function onClick({ target }: Event) {
    const button = (target as Element).closest('button');
    if (button?.hasAttribute('data-print')) print();
    const { copied } = button?.dataset ?? {};
    const source = button?.previousElementSibling;
    if (!button || !source || copied === undefined) return;
    try {
      await navigator.clipboard.writeText(source.textContent ?? '');
      button.textContent = copied;
    } catch {
      // Browsers have a clipboard on https only: the visitor copies the selected text.
      getSelection()?.selectAllChildren(source);
    }
  }

  page?.addEventListener('click', onClick);
  return () => page?.removeEventListener('click', onClick);
}

/** The answer to a native post is at the form's URL, where the router would show the form. */
function normalizeUrl(): void {
  if (location.pathname.startsWith(auditPaths.report)) return;
  const link = document.querySelector('[data-report-link]')?.getAttribute('href');
  history.replaceState(history.state, '', (link ?? auditPaths.report) + location.hash);
}

if (typeof document !== 'undefined') normalizeUrl();
