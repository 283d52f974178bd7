import { company } from 'content:company';
import { contact } from 'content:contact';
import { Slot as CheckLink } from 'slot:check-link';
import { Slot as SamplePage } from 'slot:contact';
import { Slot as EndOfPage } from 'slot:contact-end';
import type { ReactNode } from 'react';
import { buttonClass } from '../../../ui/components/button.ts';
import { EmailLink, PhoneLink } from '../../../ui/components/contact-links.tsx';
import { Icon } from '../../../ui/components/icon.tsx';
import { JumpLinks } from '../../../ui/components/jump-links.tsx';
import { PageHeader } from '../../../ui/components/page-header.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { Prose } from '../../../ui/components/prose.tsx';
import { Section, SectionHeader } from '../../../ui/components/section.tsx';
import { Component as MessageForm } from './message-form.tsx';

export function Component() {
  const { about, details, work, form, next, urgent } = contact;
  return (
    <>
      <PageMeta page="contact" texts={contact} />
      <PageHeader illustration="contact" heading={contact.heading} label={contact.label} lead={contact.lead}>
        <JumpLinks
          links={[
            { id: 'audit', title: contact.audit.heading },
            { id: 'about', title: about.heading },
            { id: 'work', title: work.heading },
          ]}
        />
      </PageHeader>
      <Section theme="paper">
        <div className="grid gap-x-16 gap-y-10 lg:grid-cols-2">
          <Audit />
          <section
            aria-labelledby="form"
            className="self-start rounded-card border border-hairline bg-high px-5 py-6 sm:p-8"
          >
            <Heading id="form">{form.heading}</Heading>
            <MessageForm form="contact" labelledBy="form" texts={form} />
          </section>
        </div>
      </Section>
      <SamplePage />
      <Section theme="paper">
        <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
          <section aria-labelledby="details">
            <Heading id="details">{details.heading}</Heading>
            <CompanyDetails />
          </section>
          <section aria-labelledby="next">
            <Heading id="next">{next.heading}</Heading>
            <ol className="steps">
              {next.steps.map(step => (
                <li key={step}>
                  <TextWithHours text={step} />
                </li>
              ))}
            </ol>
          </section>
        </div>
        <div className="mt-12">
          <UrgentNotice heading={urgent.heading} text={urgent.text} />
        </div>
      </Section>
      <Section isRaised theme="paper">
        <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
          <section aria-labelledby="about">
            <Heading id="about">{about.heading}</Heading>
            <Prose className="max-w-reading" content={about.text} />
          </section>
          <section aria-labelledby="work">
            <Heading id="work">{work.heading}</Heading>
            <Prose className="max-w-reading" content={work.text} />
          </section>
        </div>
        <EndOfPage />
      </Section>
    </>
  );
}

/** Hours such as 9am-5pm are not broken across lines. */
function TextWithHours({ text }: { text: string }) {
  return text.split(/(\d\w*[-–]\d\w*)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span className="whitespace-nowrap" key={part}>
        {part}
      </span>
    ),
  );
}

function UrgentNotice({ heading, text }: { heading: string; text: string }) {
  return (
    <div className="rounded-card border-2 border-attention px-6 py-5">
      <h2 className="text-xl font-semibold tracking-tight text-attention">{heading}</h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-3">
        <PhoneLink className="text-2xl font-semibold tracking-tight" />
        <span className="text-muted">{company.supportHours}</span>
      </p>
      <p className="mt-2 text-muted">{text}</p>
    </div>
  );
}

function Audit() {
  const { heading, lead, points } = contact.audit;
  return (
    <section aria-labelledby="audit">
      <SectionHeader heading={heading} id="audit" lead={lead} />
      <dl className="mt-8">
        {points.map(({ title, text }) => (
          <div className="border-t border-hairline py-4" key={title}>
            <dt className="flex gap-3 font-semibold">
              <Icon className="mt-1 size-5 shrink-0 text-accent" d="m3 11 5 5L17 5" />
              {title}
            </dt>
            <dd className="pl-8 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <CheckLink className={`${buttonClass.quiet} mt-4`} />
    </section>
  );
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
        <span className="inline-block py-2">{company.supportHours}</span>
      </DetailRow>
    </dl>
  );
}

function DetailRow({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-t border-hairline py-2 min-[400px]:grid min-[400px]:grid-cols-[8.5rem_minmax(0,1fr)]">
      <dt className="pt-3 capitals text-accent">{term}</dt>
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
