import { services } from 'content:services';
import { site } from 'content:site';
import { Slot as MessageForm } from 'slot:message-form';
import { Slot as SamplePage } from 'slot:services';
import { buttonClass } from '../../../ui/components/button.ts';
import { PageHeader } from '../../../ui/components/page-header.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { Prose } from '../../../ui/components/prose.tsx';
import { Section, SectionHeader } from '../../../ui/components/section.tsx';
import { StillIllustration } from '../../../ui/components/still-illustration.tsx';
import { paths } from '../../../ui/paths.ts';
import { useOpenFragment } from '../../../ui/use-open-fragment.ts';
import { Engagements } from './engagements.tsx';
import { ServiceCard } from './service-card.tsx';

export function Component() {
  const { request } = services;
  useOpenFragment();
  return (
    <>
      <PageMeta page="services" texts={services} />
      <PageHeader
        heading={services.heading}
        illustration="services"
        label={services.label}
        lead={services.lead}
      />
      <section data-theme="ink">
        <div className="enter fade mx-auto max-w-page px-5 pb-section sm:px-8">
          <ServiceFinder />
          <ul className="mt-6 grid gap-4 lg:gap-8">
            {services.services.map(service => (
              <ServiceCard key={service.id} {...service} />
            ))}
          </ul>
        </div>
      </section>
      <Engagements />
      <SamplePage />
      <Solutions />
      <Section isRaised labelledBy="request" theme="paper">
        <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[1fr_1.25fr]">
          <div>
            <SectionHeader heading={request.heading} id="request" lead={request.lead} />
            <p className="mt-6 mb-2">{request.audit}</p>
            <PageLink className={buttonClass.quiet} to={paths.contact}>
              {site.audit.button}
            </PageLink>
          </div>
          <MessageForm
            form="services"
            labelledBy="request"
            choices={{ choose: request.choose, names: choices }}
            texts={request}
          />
        </div>
      </Section>
    </>
  );
}

function ServiceFinder() {
  return (
    <nav aria-label={services.labels.finder} className="print:hidden">
      <ul className="grid grid-cols-3 gap-2 lg:grid-cols-6">
        {services.services.map(({ id, name }) => (
          <li key={id}>
            <PageLink
              className="block h-full rounded-card border border-hairline bg-raised px-2 pb-4 text-center text-sm font-semibold hover:border-accent"
              to={`#${id}`}
            >
              <StillIllustration className="w-full text-muted" name={id} />
              {name}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Solutions() {
  const { heading, items } = services.solutions;
  return (
    <Section labelledBy="solutions" theme="paper">
      <SectionHeader heading={heading} id="solutions" />
      <div className="mt-8 grid gap-6 md:grid-cols-3 lg:gap-8">
        {items.map(({ id, name, text }) => (
          <section className="border-t-2 border-accent pt-4" id={id} key={id}>
            <h3 className="text-xl">{name}</h3>
            <Prose className="text-muted" content={text} />
          </section>
        ))}
      </div>
    </Section>
  );
}

const { engagements, solutions } = services;
const choices = [...services.services, ...engagements.items, ...solutions.items].map(({ name }) => name);
