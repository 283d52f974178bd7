import company from 'content:company';
import contact from 'content:contact';
import type { ReactNode } from 'react';
import { MessageForm } from '../parts/message-form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Prose } from '../parts/prose.tsx';
import { PageTitle, Section } from '../parts/section.tsx';

export function Component() {
  const { audit, about, work, form, next, urgent } = contact;
  return (
    <>
      <PageHead description={contact.description} page="contact" title={contact.title} />
      <PageTitle heading={contact.heading} label={contact.label} lead={contact.lead} />
      <Section world="paper">
        <div className="grid gap-16 lg:grid-cols-[1.4fr_1fr]">
          <section aria-labelledby="form">
            <h2 className={headingLook} id="form">
              {form.heading}
            </h2>
            <MessageForm form="contact" words={form} />
          </section>
          <Details />
        </div>
      </Section>
      <Section labelledBy="audit" world="paper">
        <h2 className={headingLook} id="audit">
          {audit.heading}
        </h2>
        <p className="max-w-prose text-muted">{audit.lead}</p>
        <dl className="mt-8 grid gap-8 md:grid-cols-2">
          {audit.points.map(({ title, text }) => (
            <div className="border-t border-hairline pt-5" key={title}>
              <dt className="text-xl font-semibold tracking-tight">{title}</dt>
              <dd className="mt-2 text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section world="paper">
        <div className="grid gap-12 md:grid-cols-2">
          <section id="about">
            <h2 className={headingLook}>{about.heading}</h2>
            <Prose of={about.text} />
          </section>
          <section id="work">
            <h2 className={headingLook}>{work.heading}</h2>
            <Prose of={work.text} />
          </section>
          <section>
            <h2 className={headingLook}>{next.heading}</h2>
            <ol className="grid list-decimal gap-3 pl-5">
              {next.steps.map(step => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
          <section className="rounded-card border-2 border-attention p-7">
            <h2 className={headingLook}>{urgent.heading}</h2>
            <p>{urgent.text}</p>
          </section>
        </div>
      </Section>
    </>
  );
}

function Details() {
  const { details } = contact;
  return (
    <section aria-labelledby="details">
      <h2 className={headingLook} id="details">
        {details.heading}
      </h2>
      <dl className="grid gap-6">
        <Detail term={details.phone}>
          <a className={linkLook} href={`tel:${company.phone.replaceAll(' ', '')}`}>
            {company.phone}
          </a>
        </Detail>
        <Detail term={details.email}>
          <a className={linkLook} href={`mailto:${company.email}`}>
            {company.email}
          </a>
        </Detail>
        <Detail term={details.address}>
          <address className="not-italic">
            {company.address.map(line => (
              <span className="block" key={line}>
                {line}
              </span>
            ))}
          </address>
          {company.addressNote ? <p className="text-sm text-muted">({company.addressNote})</p> : null}
        </Detail>
        <Detail term={details.hours}>{company.supportHours}</Detail>
      </dl>
    </section>
  );
}

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-t border-hairline pt-4">
      <dt className="font-mono text-xs text-accent uppercase">{term}</dt>
      <dd className="mt-1">{children}</dd>
    </div>
  );
}

const headingLook = 'mb-5 text-[clamp(1.6rem,3vw,2.2rem)]';
const linkLook = 'inline-flex min-h-11 items-center text-lg underline underline-offset-4 hover:text-accent';
