import type { Problem } from '../../core/content/content-error.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { countErrors } from './error-report.ts';

export const overlayScript = '/src/ui/dev-error-overlay.ts';

type ShownContent = { hasContent: boolean; isStale: boolean; invalidPosts: string[] };

export function renderErrorPanel(errors: Problem[], content: ShownContent): string {
  if (errors.length === 0) return '';
  const lines = errors.map(({ place, reason }) => {
    const where = place ? `<code>${escapeHtml(`${place.file} line ${place.line}`)}</code>: ` : '';
    return `<li>${where}${escapeHtml(reason)}</li>`;
  });
  return `<style>${styles}</style><div class="panel">
<div role="alert"><h2>${countErrors(errors)}</h2><p>This message goes away once all of them are fixed. ${describeShown(content)}</p>
<ul aria-label="Errors" tabindex="0">${lines.join('')}</ul></div>
<button type="button">Hide</button></div>`;
}

function describeShown({ hasContent, isStale, invalidPosts }: ShownContent): string {
  if (!hasContent) return 'The pages can be shown then.';
  if (isStale) return 'Until then, the pages show the last content without errors.';
  if (invalidPosts.length > 0)
    return 'Until then, a post with an error keeps the text it had, or is left out.';
  return 'Until then, the site cannot be published.';
}

export function embedErrorPanel(panel: string): string {
  return panel ? `<content-errors><template shadowrootmode="open">${panel}</template></content-errors>` : '';
}

const styles = `
:host { all: initial; }
.panel { position: fixed; inset: auto 0 0; z-index: 2147483647; box-sizing: border-box; max-height: min(70dvh, 34rem);
  padding: 1.25rem max(1.25rem, 50vw - 36rem);
  border-top: 4px solid #a85400; background: #fffdf8; color: #1c2421;
  font: 1rem/1.5 system-ui, sans-serif; box-shadow: 0 -8px 40px rgb(0 0 0 / 25%); }
[role=alert] { display: grid; grid-template-rows: auto auto minmax(0, 1fr); min-height: 0; max-height: calc(min(70dvh, 34rem) - 2.5rem); }
h2 { margin: 0; padding-right: 6rem; font-size: 1.25rem; line-height: 1.3; }
p { margin: .25rem 0 .75rem; padding-right: 6rem; color: #4c5753; }
ul { margin: 0; padding: 0; overflow: auto; list-style: none; overflow-wrap: anywhere; }
li { padding: .5rem 0; border-top: 1px solid #ddd6c8; }
code { font: 600 .9375rem ui-monospace, monospace; color: #8a4300; }
button { position: absolute; top: 1rem; right: max(1.25rem, 50vw - 36rem); min-height: 2.75rem; padding: 0 1rem; border: 1px solid #6d7773; border-radius: .75rem;
  background: none; color: inherit; font: inherit; cursor: pointer; }
:focus-visible { outline: 3px solid #a85400; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  .panel { border-top-color: #ffb566; background: #17211e; color: #eef3f0; }
  p { color: #b5c1bc; } li { border-top-color: #34423d; } code { color: #ffc587; } button { border-color: #8b9792; }
  :focus-visible { outline-color: #ffb566; }
}
@media print { .panel { display: none; } }`;
