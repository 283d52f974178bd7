import home from 'content:home';
import summaries from 'content:service-summaries';
import { buttonLook } from '../parts/button.ts';
import { Counter } from '../parts/counters.tsx';
import { NewsletterBox } from '../parts/newsletter-box.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Label, Section } from '../parts/section.tsx';
import { paths } from '../paths.ts';

export function Component() {
  const { hero, newsletter } = home;
  return (
    <>
      <PageHead description={home.description} page="home" title={home.title} />
      <Section world="ink">
        <Label>{hero.label}</Label>
        <h1 className="max-w-[13ch] text-[clamp(2.8rem,8vw,5.4rem)]" tabIndex={-1}>
          {hero.heading}
        </h1>
        <p className="mt-6 max-w-[46ch] text-lg text-muted">{hero.lead}</p>
        <PageLink className={`${buttonLook.large} mt-9`} to={paths.contact}>
          {hero.cta} <span aria-hidden="true">→</span>
        </PageLink>
      </Section>
      <Intro />
      <Sample />
      <Offer />
      <Counters />
      <Section labelledBy="newsletter" world="paper">
        <div className="grid gap-8 lg:grid-cols-2">
          <div>
            <h2 className={headingLook} id="newsletter">
              {newsletter.heading}
            </h2>
            <p className="mt-4 max-w-[46ch] text-muted">{newsletter.text}</p>
          </div>
          <NewsletterBox id="home-newsletter" words={newsletter} />
        </div>
      </Section>
    </>
  );
}

function Intro() {
  const { label, heading, points } = home.intro;
  return (
    <Section labelledBy="intro" world="paper">
      <div className="grid gap-12 lg:grid-cols-2">
        <div>
          <Label>{label}</Label>
          <h2 className={headingLook} id="intro">
            {heading}
          </h2>
        </div>
        <ol>
          {points.map(({ title, text, steps }, index) => (
            <li className="grid grid-cols-[3rem_1fr] border-t border-hairline py-6" key={title}>
              <span aria-hidden="true" className="pt-1 font-mono text-xs text-accent">
                {String(index + 1).padStart(2, '0')}
              </span>
              <div>
                <h3 className="text-xl">{title}</h3>
                <p className="mt-2 text-muted">{text}</p>
                {steps ? (
                  <ol className="mt-4 grid gap-3">
                    {steps.map(step => (
                      <li key={step.name}>
                        <strong>{step.name}.</strong> <span className="text-muted">{step.text}</span>
                      </li>
                    ))}
                  </ol>
                ) : null}
              </div>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}

function Sample() {
  const { label, heading, lead, note, labels, finding } = home.sample;
  const rows = ['severity', 'asset', 'evidence', 'impact', 'fix', 'retest'] as const;
  return (
    <Section labelledBy="sample" world="paper">
      <Label>{label}</Label>
      <h2 className={headingLook} id="sample">
        {heading}
      </h2>
      <p className="mt-4 max-w-prose text-muted">{lead}</p>
      <figure className="mt-10 rounded-card border border-hairline bg-high p-6 sm:p-10">
        <figcaption className="font-mono text-xs tracking-wide text-attention">{note}</figcaption>
        <h3 className="mt-5 text-2xl">
          <span className="font-mono text-sm text-muted">{finding.id}</span> {finding.title}
        </h3>
        <dl className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
          {rows.map(name => (
            <div className="contents" key={name}>
              <dt className="font-mono text-xs text-accent uppercase sm:pt-1.5">{labels[name]}</dt>
              <dd>{finding[name]}</dd>
            </div>
          ))}
        </dl>
      </figure>
    </Section>
  );
}

function Offer() {
  const { label, heading, learnMore, cards } = home.offer;
  const offered = cards.flatMap(id => summaries.filter(service => service.id === id));
  return (
    <Section labelledBy="offer" world="ink">
      <Label>{label}</Label>
      <h2 className={headingLook} id="offer">
        {heading}
      </h2>
      <ul className="mt-12 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {offered.map(({ id, name, summary }) => (
          <li className="flex flex-col rounded-card border border-hairline bg-raised p-8" key={id}>
            <h3 className="text-2xl">{name}</h3>
            <p className="mt-3 mb-6 text-muted">{summary}</p>
            <PageLink
              className="mt-auto inline-flex min-h-11 items-center gap-2 self-start font-semibold text-accent hover:underline"
              to={paths.services}
            >
              {learnMore} <span className="sr-only">: {name}</span>
              <span aria-hidden="true">→</span>
            </PageLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Counters() {
  const { label, items } = home.counters;
  return (
    <Section labelledBy="counters" needsReact world="mint">
      <h2 className="sr-only" id="counters">
        {label}
      </h2>
      <dl className="grid gap-10 md:grid-cols-3">
        {items.map(item => (
          <Counter key={item.label} {...item} />
        ))}
      </dl>
    </Section>
  );
}

const headingLook = 'max-w-[18ch] text-[clamp(2rem,4.5vw,3.4rem)]';
