import { useEffect, useId, useState } from 'react';
import { inputClass } from '../../../ui/desk/field.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { findPreviewPath } from './preview-path.ts';
import { type PreviewState, usePreview } from './use-preview.tsx';
import type { PreviewRequest } from './words-types.ts';

const widths = { Phone: 390, Tablet: 768, Desktop: 1280 };

/** The real page beside a form; it follows while `fields` change. Without `fields` it shows the saved text. */
export function Preview({ file, fields, origins }: Omit<PreviewRequest, 'path'>) {
  const [path, setPath] = useState(findPreviewPath(file) ?? '/');
  const [width, setWidth] = useState<keyof typeof widths>('Desktop');
  const { answer, state } = usePreview({ file, path, fields, origins });
  const id = useId();
  useEffect(() => {
    if (innerWidth < 640) setWidth('Phone');
  }, []);
  const pages = answer?.pages ?? [];

  return (
    <section aria-label="Preview" className="preview">
      <div className="flex flex-wrap items-center gap-2 border-b border-hairline bg-raised px-3 py-2">
        <label className="sr-only" htmlFor={id}>
          Page to show
        </label>
        <select
          className={`${inputClass} min-w-48 max-w-64 flex-1`}
          id={id}
          onChange={event => setPath(event.target.value)}
          value={path}
        >
          {pages.some(page => page.path === path) ? null : <option value={path}>{path}</option>}
          {pages.map(page => (
            <option key={page.path} value={page.path}>
              {page.title}
            </option>
          ))}
        </select>
        <fieldset className="ml-auto flex gap-1">
          <legend className="sr-only">Width of the page</legend>
          {(Object.keys(widths) as (keyof typeof widths)[]).map(name => (
            <button
              aria-pressed={name === width}
              className="desk-target rounded-field border border-transparent px-3 text-sm text-muted hover:text-text aria-pressed:border-edge aria-pressed:bg-high aria-pressed:text-text"
              key={name}
              onClick={() => setWidth(name)}
              type="button"
            >
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      <p aria-live="polite" className="border-b border-hairline px-3 py-1 text-sm text-muted">
        {describe(state, answer)}
      </p>
      {answer?.frame ? <PreviewFrame onNavigate={setPath} src={answer.frame} width={widths[width]} /> : null}
    </section>
  );
}

function describe(
  state: PreviewState,
  answer: { frame?: string; isStale: boolean; problems: string[] } | undefined,
): string {
  if (state === 'failed') return 'The desk does not answer, so this may not show your last changes.';
  if (!answer) return 'Preparing the preview…';
  if (answer.isStale && !answer.frame) return 'The page can be shown once the errors are corrected.';
  if (answer.isStale) return 'There are errors: this shows your last text without any.';
  if (!answer.frame) return 'The site has no such page yet.';
  if (answer.problems.length > 0)
    return 'This shows your changes. Before you can publish, there are errors to correct.';
  return state === 'updating' ? 'Updating…' : 'This shows your changes.';
}
