import company from 'content:company';
import contact from 'content:contact';
import type { ReactNode } from 'react';
import { EmailLink, PhoneLink, UrgentNotice } from '../components/contact-links.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageMeta } from '../components/page-meta.tsx';
import { Prose } from '../components/prose.tsx';
import { Section, SectionHeader, StepNumber } from '../components/section.tsx';
import { MessageForm } from '../forms/message-form.tsx';

export function Component() {
  const { about, details, work, form, next, urgent } = contact;
  return (
    <>
      <PageMeta page="contact" texts={contact} />
      <PageHeader
        illustration="contact"
        heading={contact.heading}
        label={contact.label}
        lead={contact.lead}
        links={[
          { id: 'audit', title: contact.audit.heading },
          { id: 'about', title: about.heading },
          { id: 'work', title: work.heading },
        ]}
      />
      <Section theme="paper">
        <div className="grid gap-x-16 gap-y-14 lg:grid-cols-[1.35fr_1fr]">
          <section aria-labelledby="form">
            <Heading id="form">{form.heading}</Heading>
            <MessageForm form="contact" texts={form} />
          </section>
          <div className="grid content-start gap-10">
            <section aria-labelledby="details">
              <Heading id="details">{details.heading}</Heading>
              <CompanyDetails />
            </section>
            <UrgentNotice heading={urgent.heading} level="h2" text={urgent.text} />
          </div>
        </div>
      </Section>
      <Audit />
      <Section labelledBy="next" theme="paper">
        <Heading id="next">{next.heading}</Heading>
        <ol className="grid gap-x-8 gap-y-7 sm:grid-cols-2 lg:grid-cols-4">
          {next.steps.map((step, index) => (
            <li className="border-t border-hairline pt-5" key={step}>
              <StepNumber className="mb-3 block" value={index + 1} />
              {step}
            </li>
          ))}
        </ol>
      </Section>
      <Section isRaised theme="paper">
        <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
          <section aria-labelledby="about">
            <Heading id="about">{about.heading}</Heading>
            <Prose className="max-w-reading" content={about.text} />
            <ServicePromises />
          </section>
          <section aria-labelledby="work">
            <Heading id="work">{work.heading}</Heading>
            <Prose className="max-w-reading" content={work.text} />
          </section>
        </div>
      </Section>
    </>
  );
}

function Audit() {
  const { heading, lead, points } = contact.audit;
  return (
    <Section isRaised labelledBy="audit" theme="paper">
      <SectionHeader heading={heading} id="audit" lead={lead} />
      <dl className="mt-12 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {points.map(({ title, text }) => (
          <div className="border-t-2 border-accent pt-5" key={title}>
            <dt className="text-xl font-semibold tracking-tight">{title}</dt>
            <dd className="mt-3 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function ServicePromises() {
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

function CompanyDetails() {
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

function Heading({ id, children }: { id: string; children: string }) {
  return (
    <h2 className="mb-7 text-[clamp(1.6rem,3vw,2.2rem)]" id={id}>
      {children}
    </h2>
  );
}
