import services from 'content:services';
import { UrgentNotice } from '../components/contact-links.tsx';
import { Illustration } from '../components/illustration.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageMeta } from '../components/page-meta.tsx';
import { Prose } from '../components/prose.tsx';
import { SampleReport } from '../components/sample-report.tsx';
import { Section, SectionHeader, StepNumber } from '../components/section.tsx';
import { MessageForm } from '../forms/message-form.tsx';

export function Component() {
  const { solutions, request } = services;
  return (
    <>
      <PageMeta page="services" texts={services} />
      <PageHeader
        heading={services.heading}
        label={services.label}
        lead={services.lead}
        links={[
          { id: 'engagements', title: services.engagements.heading },
          { id: 'solutions', title: solutions.heading },
          { id: 'request', title: request.heading },
        ]}
      />
      <section data-theme="ink">
        <ul className="enter fade mx-auto grid max-w-page gap-6 px-5 pb-section sm:px-8 lg:grid-cols-2 lg:gap-8">
          {services.services.map(({ id, name, description }) => (
            <li
              className="overflow-clip rounded-card border border-hairline bg-raised md:max-lg:grid md:max-lg:grid-cols-[17rem_1fr] md:max-lg:items-start"
              id={id}
              key={id}
            >
              <div className="border-b border-hairline md:max-lg:sticky md:max-lg:top-24 md:max-lg:border-0 md:max-lg:pt-6">
                <Illustration className="mx-auto w-full max-w-[30rem] text-muted" name={id} />
              </div>
              <div className="px-7 pt-7 pb-9 sm:px-9">
                <h2 className="text-2xl">{name}</h2>
                <Prose className="text-muted" of={description} />
              </div>
            </li>
          ))}
        </ul>
      </section>
      <Engagements />
      <SampleReport />
      <Section labelledBy="solutions" theme="paper">
        <SectionHeader heading={solutions.heading} id="solutions" />
        <div className="mt-12 grid gap-10 lg:grid-cols-3">
          {solutions.items.map(({ id, name, text }) => (
            <section className="border-t-2 border-accent pt-6" id={id} key={id}>
              <h3 className="text-2xl">{name}</h3>
              <Prose className="text-muted" of={text} />
            </section>
          ))}
        </div>
      </Section>
      <Section isRaised labelledBy="request" theme="paper">
        <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[1fr_1.25fr]">
          <SectionHeader heading={request.heading} id="request" lead={request.lead} />
          <MessageForm
            form="services"
            services={{ label: request.service, choose: request.choose, names: choices }}
            texts={request}
          />
        </div>
      </Section>
    </>
  );
}

function Engagements() {
  const { heading, lead, labels, items } = services.engagements;
  return (
    <Section labelledBy="engagements" theme="paper">
      <SectionHeader heading={heading} id="engagements" lead={lead} />
      <ol className="mt-12 border-b border-hairline">
        {items.map(({ id, name, what, start, get, urgent, urgentText }, index) => (
          <li
            className="grid gap-x-12 gap-y-5 border-t border-hairline py-9 lg:grid-cols-[1fr_2fr]"
            id={id}
            key={id}
          >
            <h3 className="flex gap-4 text-2xl">
              <StepNumber className="pt-1.5" value={index + 1} />
              {name}
            </h3>
            <div>
              <p className="max-w-reading">{what}</p>
              <dl className="mt-5 grid gap-x-10 gap-y-5 sm:grid-cols-2">
                <div>
                  <dt className={termClass}>{labels.start}</dt>
                  <dd className="mt-1.5 text-muted">{start}</dd>
                </div>
                <div>
                  <dt className={termClass}>{labels.get}</dt>
                  <dd className="mt-1.5 text-muted">{get}</dd>
                </div>
              </dl>
              {urgent && urgentText ? (
                <div className="mt-7">
                  <UrgentNotice heading={urgent} level="h4" text={urgentText} />
                </div>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const { engagements, solutions } = services;
const choices = [...services.services, ...engagements.items, ...solutions.items].map(({ name }) => name);
const termClass = 'font-mono text-xs tracking-[0.08em] text-accent uppercase';
