import { formatNumber } from '../../../lib/format-number.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import { useLive } from '../../../ui/desk/use-live.tsx';
import { NotRunning, StateBadge } from './issues.tsx';
import { MailPreview } from './mail-preview.tsx';
import type { IssueProps } from './props.ts';

export function NewsletterIssue(props: IssueProps) {
  const { reference, subject, queuedAt, state, figures, isSiteRunning, isPaused, stall } = props;
  useLive(2, state === 'sending');
  const path = `/newsletter/issues/${reference}`;
  return (
    <div className="grid items-start gap-x-8 gap-y-8 xl:grid-cols-2">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StateBadge state={state} />
          <span className="text-muted">
            Queued <Time {...queuedAt} />
          </span>
          <a className="text-accent underline" href={deskUrl('/newsletter')}>
            All issues
          </a>
        </p>
        {isSiteRunning || state !== 'sending' ? null : <NotRunning />}
        {stall ? <p className="mt-4 border-l-4 border-attention bg-raised px-4 py-2.5">{stall}</p> : null}
        <Progress figures={figures} />
        <div className="mt-5 flex flex-wrap gap-3">
          {state === 'sending' ? <Action label="Stop" path={`${path}/stop`} tone="danger" /> : null}
          {state === 'stopped' || isPaused ? (
            <Action label="Go on" path={`${path}/resume`} tone="primary" />
          ) : null}
        </div>
        <Undelivered {...props} path={path} />
      </div>
      <MailPreview path={path} subject={subject} text={props.text} />
    </div>
  );
}

function Progress({ figures }: Pick<IssueProps, 'figures'>) {
  const { recipients, sent, ...others } = figures;
  return (
    <div className="mt-5">
      <label className="block text-2xl font-semibold" htmlFor="progress">
        {formatNumber(sent)}{' '}
        <span className="text-base font-normal text-muted">of {formatNumber(recipients)} sent</span>
      </label>
      <progress className="desk-progress mt-2" id="progress" max={Math.max(recipients, 1)} value={sent} />
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {labels
          .filter(([name]) => others[name] > 0)
          .map(([name, text]) => (
            <div className="flex gap-1.5" key={name}>
              <dt className="text-muted">{text}</dt>
              <dd className="font-semibold">{formatNumber(others[name])}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

const labels = [
  ['waiting', 'Waiting'],
  ['held', 'Held back'],
  ['failed', 'Could not be reached'],
  ['unconfirmed', 'May or may not have arrived'],
  ['cancelled', 'Left the list meanwhile'],
] as const;

function Undelivered({ figures, undelivered, undeliveredTotal, path }: IssueProps & { path: string }) {
  if (undelivered.length === 0) return null;
  return (
    <section className="mt-7">
      <h2 className="text-base">Who could not be reached</h2>
      <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
        {undelivered.map(({ address, state, attempts, reason }) => (
          <li className="py-2" key={address + state}>
            <p className="font-semibold break-all">{address}</p>
            <p className="text-sm text-muted">
              {state === 'failed' ? 'Failed' : 'May have arrived'} after{' '}
              {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
              {reason ? `: ${reason}` : ''}
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
        {undeliveredTotal > undelivered.length ? (
          <span>
            The first {undelivered.length} of {formatNumber(undeliveredTotal)}.
          </span>
        ) : null}
        <a className={buttonClass.quiet} download href={deskUrl(`${path}/unreached.csv`)}>
          {undeliveredTotal > 1 ? `Export all ${formatNumber(undeliveredTotal)} as CSV` : 'Export CSV'}
        </a>
      </p>
      <div className="mt-4 grid gap-4">
        {figures.failed > 0 ? (
          <Action label={`Try ${formatNumber(figures.failed)} failed again`} path={`${path}/resend-failed`} />
        ) : null}
        {figures.unconfirmed > 0 ? (
          <div>
            <Action
              label={`Send ${formatNumber(figures.unconfirmed)} unconfirmed again`}
              path={`${path}/resend-unconfirmed`}
            />
            <p className="mt-1 text-sm text-muted">
              The site stopped while these were being sent. Some people may get the issue twice.
            </p>
          </div>
        ) : null}
      </div>
    </section>
  );
}

function Action({
  label,
  path,
  tone = 'quiet',
}: {
  label: string;
  path: string;
  tone?: keyof typeof buttonClass;
}) {
  return (
    <form action={deskUrl(path)} method="post">
      <button className={buttonClass[tone]} type="submit">
        {label}
      </button>
    </form>
  );
}
