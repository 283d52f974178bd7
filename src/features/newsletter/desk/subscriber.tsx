import type { ReactNode } from 'react';
import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import type { ConsentProps, SubscriberProps } from './props.ts';
import { StateOf } from './subscribers.tsx';

const path = '/newsletter/subscribers';

export function NewsletterSubscriber(props: SubscriberProps) {
  const { address, state, reason, consent, request, isErasing } = props;
  return (
    <div className="max-w-[48rem]">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <StateOf reason={reason} state={state} />
        <a className="text-accent underline" href={deskUrl(path)}>
          All subscribers
        </a>
      </p>
      {address === null ? (
        <p className="mt-4">
          Only a code made from the address is stored, so that nothing is sent to it. The address cannot be
          read from it.
        </p>
      ) : null}
      {consent ? <Proof {...props} consent={consent} /> : null}
      {request ? <Request network={props.network} request={request} /> : null}
      <Mails mails={props.mails} />
      {address === null ? null : isErasing ? <Erase {...props} /> : <Actions {...props} />}
    </div>
  );
}

function Proof({
  consent,
  confirmedAt,
  unsubscribedAt,
  suppressedAt,
}: SubscriberProps & { consent: ConsentProps }) {
  return (
    <section className="mt-6">
      <h2 className="text-base">Proof of consent</h2>
      <dl className={listClass}>
        <Row label="Asked">{consent.requestedAt ? <Time {...consent.requestedAt} /> : null}</Row>
        <Row label="With the form">{consent.form}</Row>
        <Row label="Which said">
          {consent.text ? <q>{consent.text}</q> : 'This text is no longer stored.'}
        </Row>
        <Row label="Confirmed">{confirmedAt ? <Time {...confirmedAt} /> : 'Not confirmed'}</Row>
        {unsubscribedAt ? (
          <Row label="Unsubscribed">
            <Time {...unsubscribedAt} />
          </Row>
        ) : null}
        {suppressedAt ? (
          <Row label="Suppressed">
            <Time {...suppressedAt} />
          </Row>
        ) : null}
      </dl>
    </section>
  );
}

function Request({ request, network }: { request: ConsentProps; network: string | null }) {
  return (
    <section className="mt-6">
      <h2 className="text-base">Request that is not confirmed</h2>
      <p className="text-sm text-muted">
        Anyone can enter an address. It proves nothing until it is confirmed.
      </p>
      <dl className={listClass}>
        <Row label="Asked">{request.requestedAt ? <Time {...request.requestedAt} /> : null}</Row>
        <Row label="With the form">{request.form}</Row>
        <Row label="Which said">
          {request.text ? <q>{request.text}</q> : 'This text is no longer stored.'}
        </Row>
        <Row label="From the network">
          {network ? <code className="text-sm break-all">{network}</code> : 'No longer stored'}
          <span className="block text-sm text-muted">
            A code made from the network, which is deleted after a day.
          </span>
        </Row>
      </dl>
    </section>
  );
}

const listClass =
  'mt-2 grid gap-x-5 gap-y-1.5 border-y border-hairline py-3 sm:grid-cols-[9rem_minmax(0,1fr)]';

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm text-muted sm:text-base">{label}</dt>
      <dd className="mb-2 sm:mb-0">{children}</dd>
    </>
  );
}

function Mails({ mails }: Pick<SubscriberProps, 'mails'>) {
  if (mails.length === 0) return null;
  return (
    <section className="mt-6">
      <h2 className="text-base">Mails to this address</h2>
      <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
        {mails.map(({ text, state, at }) => (
          <li className="flex flex-wrap items-center justify-between gap-x-4 py-2" key={text + at.iso}>
            <span>{text}</span>
            <span className="flex items-center gap-3 text-sm text-muted">
              <Time {...at} />
              <Badge>{state}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Actions({ id, state }: SubscriberProps) {
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {state === 'suppressed' ? (
        <form action={deskUrl(`${path}/${id}/allow`)} method="post">
          <button className={buttonClass.quiet} type="submit">
            Allow mail again
          </button>
        </form>
      ) : (
        <form action={deskUrl(`${path}/${id}/block`)} method="post">
          <button className={buttonClass.quiet} type="submit">
            Stop mail to it
          </button>
        </form>
      )}
      <a className={buttonClass.danger} href={deskUrl(`${path}/${id}/erase`)}>
        Erase…
      </a>
    </div>
  );
}

function Erase({ id, mails }: SubscriberProps) {
  return (
    <section className="mt-6 rounded-card border border-attention p-5">
      <h2 className="text-lg">Erase this address from the newsletter?</h2>
      <p className="mt-2">
        The address, the proof of consent and{' '}
        {mails.length === 1 ? '1 mail record' : `${mails.length} mail records`} go for good. A code made from
        the address stays, so that no import adds it again. Messages and files are not touched: for everything
        about a person, use{' '}
        <a className="text-accent underline" href={deskUrl('/privacy')}>
          Privacy requests
        </a>
        .
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <form action={deskUrl(`${path}/${id}/erase`)} method="post">
          <button className={buttonClass.danger} type="submit">
            Erase for good
          </button>
        </form>
        <a className={buttonClass.quiet} href={deskUrl(`${path}/${id}`)}>
          Erase nothing
        </a>
      </div>
    </section>
  );
}
