import company from 'content:company';
import contact from 'content:contact';
import type { ReactNode } from 'react';
import { EmailLink, PhoneLink } from './contact-links.tsx';

export function ServicePromises() {
  const names = Object.keys(contact.promises) as (keyof typeof contact.promises)[];
  const published = names.filter(name => company.promises[name] !== null);
  return published.length > 0 ? (
    <dl className="mt-8 border-b border-hairline">
      {published.map(name => (
        <DetailRow key={name} term={contact.promises[name]}>
          <span className="inline-flex min-h-11 items-center">{company.promises[name]}</span>
        </DetailRow>
      ))}
    </dl>
  ) : null;
}

export function CompanyDetails() {
  const { details } = contact;
  return (
    <dl className="border-b border-hairline">
      <DetailRow term={details.phone}>
        <PhoneLink className="text-lg" />
      </DetailRow>
      <DetailRow term={details.email}>
        <EmailLink />
      </DetailRow>
      <DetailRow term={details.address}>
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
      </DetailRow>
      <DetailRow term={details.hours}>
        <span className="inline-flex min-h-11 items-center">{company.supportHours}</span>
      </DetailRow>
    </dl>
  );
}

function DetailRow({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-t border-hairline py-2 min-[400px]:grid min-[400px]:grid-cols-[8.5rem_minmax(0,1fr)]">
      <dt className="pt-3 font-mono text-xs tracking-[0.08em] text-accent uppercase">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
