import { Fragment } from 'react';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import { useLive } from '../../../ui/desk/use-live.tsx';
import { MessageActions } from './message-actions.tsx';
import { MessageDeliveries } from './message-deliveries.tsx';
import { MessageNotes } from './message-notes.tsx';
import { MessageReport } from './message-report.tsx';
import type { MessageProps } from './props.ts';
import { StateBadge } from './state-badge.tsx';
import { useNewCount } from './use-new-count.tsx';

export function Message(props: MessageProps) {
  useLive(10);
  useNewCount(props.newCount);
  return (
    <div className="max-w-[80rem]">
      <MessageActions {...props} />
      <div className="mt-4 grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-6">
          <Reasons {...props} />
          <article
            aria-label="Text of the message"
            className="overflow-hidden rounded-field border border-hairline bg-high px-5 py-4"
          >
            {props.text ? (
              <p
                className="max-w-[44em] whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]"
                data-text
              >
                {props.text}
              </p>
            ) : (
              <p className="text-muted">No text.</p>
            )}
          </article>
          <MessageReport report={props.report} />
          <MessageNotes {...props} />
        </div>
        <div className="grid gap-6">
          <Details {...props} />
          <MessageDeliveries {...props} />
        </div>
      </div>
    </div>
  );
}

function Reasons({ state, reasons }: MessageProps) {
  if (reasons.length === 0) return null;
  return (
    <section className="rounded-field border-l-4 border-attention bg-raised px-4 py-3 text-sm">
      <h2 className="text-base">
        {state === 'quarantined' ? 'In quarantine because' : 'Was in quarantine because'}
      </h2>
      <ul className="mt-1 list-disc pl-5">
        {reasons.map(reason => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </section>
  );
}

function Details({ sender, email, details, received, reference, state, answered, closed }: MessageProps) {
  return (
    <section>
      <h2 className="text-base">Details</h2>
      <dl className="mt-2 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm [&_dt]:text-muted">
        <dt>State</dt>
        <dd>
          <StateBadge state={state} />
        </dd>
        <dt>From</dt>
        <dd>
          <bdi>{sender}</bdi>
        </dd>
        {details.map(({ label, value, none }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd className="[overflow-wrap:anywhere]">{value ? <bdi>{value}</bdi> : none}</dd>
          </Fragment>
        ))}
        <dt>Received</dt>
        <dd>
          <Time {...received} />
        </dd>
        {answered ? (
          <>
            <dt>Answered</dt>
            <dd>
              <Time {...answered} />
            </dd>
          </>
        ) : null}
        {closed ? (
          <>
            <dt>Closed</dt>
            <dd>
              <Time {...closed} />
            </dd>
          </>
        ) : null}
        <dt>Reference</dt>
        <dd className="font-mono">{reference}</dd>
      </dl>
      <p className="mt-2 text-sm text-muted">The visitor’s IP address and browser are not stored.</p>
      {email ? (
        <form action={deskUrl('/privacy/start')} method="post">
          <input name="email" type="hidden" value={email} />
          <button className="desk-target text-sm text-accent underline" type="submit">
            Privacy request of this person
          </button>
        </form>
      ) : null}
    </section>
  );
}
