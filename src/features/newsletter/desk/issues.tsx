import { formatNumber } from '../../../lib/format-number.ts';
import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import { NewsletterTabs } from './newsletter-tabs.tsx';
import type { IssueLine, IssuesProps } from './props.ts';

export function NewsletterIssues({ confirmed, pending, isSiteRunning, drafts, issues }: IssuesProps) {
  return (
    <>
      <NewsletterTabs current="Issues" />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <strong>{formatNumber(confirmed)}</strong> confirmed{' '}
          {confirmed === 1 ? 'subscriber' : 'subscribers'}
          {pending > 0 ? (
            <span className="text-muted">, {formatNumber(pending)} asked to confirm</span>
          ) : null}
        </p>
        <a className={buttonClass.primary} href={deskUrl('/newsletter/new')}>
          New issue
        </a>
      </div>
      {isSiteRunning ? null : <NotRunning />}
      {drafts.length > 0 ? (
        <section className="mt-6">
          <h2 className="text-base">Drafts</h2>
          <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
            {drafts.map(({ name, subject, changedAt }) => (
              <li className="py-2" key={name}>
                <a
                  className="desk-target block hover:text-accent"
                  href={deskUrl(`/newsletter/drafts/${name}`)}
                >
                  <span className="block font-semibold">{subject}</span>
                  <span className="text-sm text-muted">
                    Changed <Time {...changedAt} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section className="mt-6">
        <h2 className="text-base">Sent</h2>
        {issues.length === 0 ? (
          <p className="mt-1 text-muted">No issue has been sent yet.</p>
        ) : (
          <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
            {issues.map(issue => (
              <li className="py-2" key={issue.reference}>
                <Issue {...issue} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Issue({ reference, subject, queuedAt, state, figures }: IssueLine) {
  const { recipients, sent, failed, unconfirmed } = figures;
  const missed = failed + unconfirmed;
  return (
    <a
      className="desk-target flex flex-wrap items-center gap-x-4 gap-y-1 hover:text-accent"
      href={deskUrl(`/newsletter/issues/${reference}`)}
    >
      <span className="min-w-0 grow basis-72">
        <span className="block font-semibold">{subject}</span>
        <span className="text-sm text-muted">
          <Time {...queuedAt} />
        </span>
      </span>
      <span className="text-sm text-muted">
        {formatNumber(sent)} of {formatNumber(recipients)} sent
        {missed > 0 ? `, ${formatNumber(missed)} not reached` : ''}
      </span>
      <StateBadge state={state} />
    </a>
  );
}

export function StateBadge({ state }: Pick<IssueLine, 'state'>) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}

const tones = { sending: 'good', stopped: 'attention', sent: 'plain' } as const;

export function NotRunning() {
  return (
    <p className="mt-4 border-l-4 border-attention bg-raised px-4 py-2.5">
      The site delivers the mails, and it is not running. They wait until it is started.
    </p>
  );
}
