import company from 'content:company';
import contact from 'content:contact';
import type { ReactNode } from 'react';
import { EmailLink, PhoneLink } from './contact-links.tsx';

export function ServicePromises() {
  const names = Object.keys(contact.promises) as (keyof typeof contact.promises)[];
  const made = names.filter(name => company.promises[name] !== null);
  return made.length > 0 ? (
    <dl className="mt-8 border-b border-hairline">
      {made.map(name => (
        <Detail key={name} term={contact.promises[name]}>
          <span className="inline-flex min-h-11 items-center">{company.promises[name]}</span>
        </Detail>
      ))}
    </dl>
  ) : null;
}

export function CompanyDetails() {
  const { details } = contact;
  return (
    <dl className="border-b border-hairline">
      <Detail term={details.phone}>
        <PhoneLink className="text-lg" />
      </Detail>
      <Detail term={details.email}>
        <EmailLink />
      </Detail>
      <Detail term={details.address}>
        <address className="py-2 not-italic">
          {company.address.map(line => (
            <span className="block" key={line}>
              {line}
            </span>
          ))}
          {company.addressNote ? (
            <span className="block text-sm text-muted">({company.addressNote})</span>
          ) : null}
        </address>
      </Detail>
      <Detail term={details.hours}>
        <span className="inline-flex min-h-11 items-center">{company.supportHours}</span>
      </Detail>
    </dl>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-t border-hairline py-2 min-[400px]:grid min-[400px]:grid-cols-[8.5rem_minmax(0,1fr)]">
      <dt className="pt-3 font-mono text-xs tracking-[0.08em] text-accent uppercase">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
