import { auditPage as page } from 'content:audit-page';
import type { AuditResult } from '../contract.ts';
import { StatusMark } from './status.tsx';

type ProgressProps = {
  domain: string;
  checks: string[];
  results: AuditResult[];
  wait?: { ahead: number; seconds: number } | undefined;
};

const titles = new Map(page.groups.flatMap(group => group.checks.map(({ id, title }) => [id, title])));

/** Only the sentence is announced; the list fills in beside it. */
export function Progress({ domain, checks, results, wait }: ProgressProps) {
  const { heading, counted, wait: waiting } = page.progress;
  const isHalfDone = results.length * 2 >= checks.length && checks.length > 0;
  return (
    <div>
      <p className="font-semibold">{heading.replace('{domain}', domain)}</p>
      {wait ? (
        <p className="mt-1 text-muted">
          {waiting.replace('{ahead}', String(wait.ahead)).replace('{seconds}', String(wait.seconds))}
        </p>
      ) : null}
      {isHalfDone ? <p className="sr-only">{page.progress.half}</p> : null}
      <div aria-live="off">
        {checks.length > 0 ? (
          <p className="mt-1 font-mono text-sm text-muted">
            {counted.replace('{number}', String(results.length)).replace('{total}', String(checks.length))}
          </p>
        ) : null}
        <ul className="mt-4 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
          {checks.map(check => {
            const status = results.find(result => result.check === check)?.status;
            return (
              <li className={`flex items-center gap-3 ${status ? '' : 'opacity-60'}`} key={check}>
                {status ? (
                  <StatusMark status={status} />
                ) : (
                  <span className="size-6 shrink-0 rounded-pill border border-edge" />
                )}
                {titles.get(check) ?? check}
                {status ? <span className="sr-only">: {page.statuses[status]}</span> : null}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
