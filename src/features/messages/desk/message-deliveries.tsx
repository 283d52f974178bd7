import { Badge } from '../../../ui/desk/badge.tsx';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import { ChangeButton } from './change-buttons.tsx';
import type { DeliveryProps, MessageProps } from './props.ts';

export function MessageDeliveries({ deliveries, canRetry, reference, query }: MessageProps) {
  return (
    <section>
      <h2 className="text-base">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p className="mt-2 text-sm text-muted">Not delivered to any receiver.</p>
      ) : null}
      <ul className="mt-2 grid gap-3 text-sm">
        {deliveries.map(delivery => (
          <Delivery key={delivery.receiver} {...delivery} />
        ))}
      </ul>
      {canRetry ? (
        <form action={deskUrl('/messages/change')} className="mt-3" method="post">
          {Object.entries({ reference, list: query, from: 'message' }).map(([name, value]) => (
            <input key={name} name={name} type="hidden" value={value} />
          ))}
          <ChangeButton name="retry" />
        </form>
      ) : null}
    </section>
  );
}

function Delivery({ receiver, state, summary, moment, explanation, isPaused, attempts }: DeliveryProps) {
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold">{receiver}</span>
        <Badge tone={isPaused ? 'attention' : state}>{isPaused ? 'Waiting, paused' : summary}</Badge>
        {moment && !isPaused ? (
          <span className="text-muted">
            <Time {...moment} />
          </span>
        ) : null}
      </p>
      {isPaused ? (
        <p className="mt-0.5">
          The receiver is paused.{' '}
          <a className="text-accent underline" href={deskUrl('/health#receivers')}>
            Resume it
          </a>
        </p>
      ) : null}
      {explanation ? <p className="mt-0.5">{explanation}</p> : null}
      {attempts.length > 1 || (attempts.length === 1 && explanation === '' && state !== 'good') ? (
        <details>
          <summary className="desk-summary cursor-pointer text-muted hover:text-text">
            {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}
          </summary>
          <ol className="grid gap-1 border-l border-hairline pl-3">
            {attempts.map(({ number, ended, text }) => (
              <li key={number}>
                <span className="text-muted">
                  <Time {...ended} />
                </span>{' '}
                {text}
              </li>
            ))}
          </ol>
        </details>
      ) : null}
    </li>
  );
}
