import company from 'content:company';
import contact from 'content:contact';
import type { ReactNode } from 'react';
import { MessageForm } from '../parts/message-form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Phone, Urgent } from '../parts/phone.tsx';
import { Prose } from '../parts/prose.tsx';
import { Ordinal, PageTitle, Section, SectionHead } from '../parts/section.tsx';

export function Component() {
  const { about, work, form, next, urgent } = contact;
  return (
    <>
      <PageHead description={contact.description} page="contact" title={contact.title} />
      <PageTitle art="contact" heading={contact.heading} label={contact.label} lead={contact.lead} />
      <Section world="paper">
        <div className="grid gap-x-16 gap-y-14 lg:grid-cols-[1.35fr_1fr]">
          <section aria-labelledby="form">
            <h2 className={headingLook} id="form">
              {form.heading}
            </h2>
            <MessageForm form="contact" words={form} />
          </section>
          <div className="grid content-start gap-10">
            <Details />
            <Urgent heading={urgent.heading} level="h2" text={urgent.text} />
          </div>
        </div>
      </Section>
      <Audit />
      <Section labelledBy="next" world="paper">
        <h2 className={headingLook} id="next">
          {next.heading}
        </h2>
        <ol className="grid gap-x-8 gap-y-7 sm:grid-cols-2 lg:grid-cols-4">
          {next.steps.map((step, index) => (
            <li className="border-t border-hairline pt-5" key={step}>
              <Ordinal className="mb-3 block" of={index + 1} />
              {step}
            </li>
          ))}
        </ol>
      </Section>
      <Section isRaised world="paper">
        <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
          <section aria-labelledby="about">
            <h2 className={headingLook} id="about">
              {about.heading}
            </h2>
            <Prose of={about.text} />
          </section>
          <section aria-labelledby="work">
            <h2 className={headingLook} id="work">
              {work.heading}
            </h2>
            <Prose of={work.text} />
          </section>
        </div>
      </Section>
    </>
  );
}

function Audit() {
  const { heading, lead, points } = contact.audit;
  return (
    <Section isRaised labelledBy="audit" world="paper">
      <SectionHead heading={heading} id="audit" lead={lead} />
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

function Details() {
  const { details } = contact;
  return (
    <section aria-labelledby="details">
      <h2 className={headingLook} id="details">
        {details.heading}
      </h2>
      <dl className="border-b border-hairline">
        <Detail term={details.phone}>
          <Phone className="text-lg" />
        </Detail>
        <Detail term={details.email}>
          <a
            className="inline-flex min-h-11 max-w-full items-center text-lg wrap-anywhere underline underline-offset-4 hover:text-accent"
            href={`mailto:${company.email}`}
          >
            {company.email}
          </a>
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
    </section>
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

const headingLook = 'mb-7 text-[clamp(1.6rem,3vw,2.2rem)]';
