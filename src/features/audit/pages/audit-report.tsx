import { StaticHtml } from '../../../ui/components/static-html.tsx';
import { auditPaths } from '../contract.ts';

export function Component({ html }: { html?: string }) {
  return <StaticHtml data-theme="ink" html={html} ref={listen} />;
}

/** The page's controls are not React's. */
function listen(page: HTMLDivElement | null) {
  async function onClick({ target }: Event) {
    const button = (target as Element).closest('button');
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
