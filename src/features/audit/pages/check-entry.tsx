import { audit } from 'content:audit';
import type { AuditResult } from '../contract.ts';
import { needsAction } from '../terms.ts';
import { findWords } from './audit-words.ts';
import { colourClass, StatusMark } from './status.tsx';

const labels = audit.report;

/** What needs no action is folded, and printed as one line. */
export function CheckEntry({ result, domain }: { result: AuditResult; domain: string }) {
  const { check, status, evidence } = result;
  const { title, why, standard, text, fix, copy } = findWords(result, domain);
  const isOpen = needsAction(status);
  return (
    <details className="border-t border-hairline" open={isOpen}>
      <summary className="flex items-start gap-4 py-5 pr-1">
        <StatusMark className="mt-0.5" status={status} />
        <span className="grow">
          <span className="flex flex-wrap items-baseline gap-x-4">
            <span className="text-lg leading-snug font-semibold">{title}</span>
            <span className={`capitals ${colourClass[status]}`}>{audit.statuses[status]}</span>
          </span>
          <span className="mt-1 block max-w-reading text-muted">{text}</span>
        </span>
      </summary>
      <dl className={`${detailsClass} ${isOpen ? '' : 'print:hidden'}`} id={check}>
        {fix ? (
          <div>
            <dt className={termClass}>{labels.fix}</dt>
            <dd>
              {fix}
              {copy ? <Copyable text={copy} /> : null}
            </dd>
          </div>
        ) : null}
        {evidence.length > 0 ? (
          <div>
            <dt className={termClass}>{labels.evidence}</dt>
            <dd>
              <pre className={preClass}>{evidence.join('\n')}</pre>
            </dd>
          </div>
        ) : null}
        {why ? (
          <div>
            <dt className={termClass}>{labels.why}</dt>
            <dd>{why}</dd>
          </div>
        ) : null}
        {standard ? (
          <div>
            <dt className={termClass}>{labels.standard}</dt>
            <dd>
              <a
                className="underline decoration-edge underline-offset-4 hover:text-accent hover:decoration-accent"
                href={standard.url}
                rel="noopener noreferrer"
              >
                {standard.label}
              </a>
            </dd>
          </div>
        ) : null}
      </dl>
    </details>
  );
}

/** The page's script copies the text before the button. */
function Copyable({ text }: { text: string }) {
  return (
    <div className="mt-3">
      <pre className={preClass} tabIndex={-1}>
        {text}
      </pre>
      <button
        className="needs-script mt-2 inline-flex min-h-11 items-center rounded-pill border border-edge px-4 text-sm font-semibold hover:border-accent hover:text-accent"
        data-copied={labels.copied}
        data-replay=""
        type="button"
      >
        {labels.copy}
      </button>
    </div>
  );
}

const detailsClass = 'grid gap-x-12 gap-y-6 pb-8 sm:pl-10 lg:grid-cols-2 scroll-mt-28';
const termClass = 'mb-2 capitals text-accent';
const preClass =
  'rounded-field border border-hairline bg-raised px-4 py-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere';
