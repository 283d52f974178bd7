import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Section } from '../../../ui/desk/section.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import type { ReceiverLine, TestLine } from './props.ts';

export function Receivers({ receivers, test }: { receivers: ReceiverLine[]; test: TestLine | null }) {
  return (
    <Section
      aside={
        <form action={deskUrl('/health/test')} method="post">
          <button className={buttonClass.quiet} type="submit">
            Send a test message
          </button>
        </form>
      }
      id="receivers"
      title="Receivers"
    >
      <p className="mb-3 text-sm text-muted">
        Where the messages of your visitors go, and the emails to your subscribers. Everything is stored
        before it is sent on, and stays stored whatever happens here.
      </p>
      {test ? <TestResults {...test} /> : null}
      <ul className="grid gap-3 md:grid-cols-2">
        {receivers.map(receiver => (
          <Receiver key={receiver.name} {...receiver} />
        ))}
      </ul>
    </Section>
  );
}

function Receiver({ name, label, destination, problem, canRetry, ...line }: ReceiverLine) {
  const { waiting, waitingSince, failed, lastDelivered, lastFailure } = line;
  return (
    <li className="flex flex-col rounded-field border border-hairline bg-raised p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h3 className="font-semibold">{label}</h3>
        <Badge tone={problem ? 'attention' : 'good'}>
          {problem ? problemTexts[problem.kind].badge : 'Working'}
        </Badge>
      </div>
      <p className="text-sm wrap-anywhere text-muted">{destination}</p>
      {problem ? (
        <p className="mt-2 text-sm">
          {problem.kind === 'refusing'
            ? `${problem.count} ${problem.count === 1 ? 'delivery' : 'deliveries'} refused, none taken since `
            : 'Since '}
          <Time {...problem.since} />: {endSentence(problem.reason)} {problemTexts[problem.kind].advice}
        </p>
      ) : null}
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Last delivery</dt>
        <dd>{lastDelivered ? <Time {...lastDelivered} /> : 'None yet'}</dd>
        <dt className="text-muted">Waiting</dt>
        <dd>
          {waiting}
          {waitingSince ? (
            <>
              , the oldest since <Time {...waitingSince} />
            </>
          ) : null}
        </dd>
        <dt className="text-muted">Failed</dt>
        <dd>
          {failed}
          {failed > 0 && lastFailure ? (
            <>
              , the last <Time {...lastFailure.at} />: {lastFailure.reason}
            </>
          ) : null}
        </dd>
      </dl>
      {canRetry ? (
        <form action={deskUrl('/health/retry')} className="mt-auto pt-3" method="post">
          <input name="receiver" type="hidden" value={name} />
          <button aria-label={`Try again now: ${label}`} className={buttonClass.quiet} type="submit">
            Try again now
          </button>
        </form>
      ) : null}
    </li>
  );
}

const problemTexts = {
  paused: {
    badge: 'Paused',
    advice:
      'Correct its setting and restart the site. If the cause is elsewhere, correct it, then try again here.',
  },
  refusing: { badge: 'Refusing', advice: '' },
};

/** A mail server's reason may end as a sentence does. */
function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function TestResults({ sent, reference, results }: TestLine) {
  return (
    <div className="mb-3 rounded-field border border-hairline p-4 text-sm">
      <p>
        Test message {reference}, <Time {...sent} />. It does not count as a visitor’s message.
      </p>
      <ul className="mt-2 grid gap-1">
        {results.map(({ label, isTaken, text }) => (
          <li key={label}>
            <Badge tone={isTaken ? 'good' : 'attention'}>{isTaken ? 'Taken' : 'Failed'}</Badge> {label}:{' '}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
