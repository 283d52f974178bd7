import { brand } from 'content:brand';
import { home } from 'content:home';
import { serviceSummaries as summaries } from 'content:service-summaries';
import { Slot as SamplePage } from 'slot:home';
import { isFilled as hasSignUp, Slot as SignUp } from 'slot:home-end';
import { Slot as IntroPlot } from 'slot:home-intro';
import { buttonClass } from '../../../ui/components/button.ts';
import { CallToAction } from '../../../ui/components/call-to-action.tsx';
import { Carousel } from '../../../ui/components/carousel.tsx';
import { Counters } from '../../../ui/components/counters.tsx';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { Illustration } from '../../../ui/components/illustration.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { PauseButton } from '../../../ui/components/pause-button.tsx';
import { Eyebrow, Section, SectionHeader, StepNumber } from '../../../ui/components/section.tsx';
import { paths } from '../../../ui/paths.ts';
import { Component as OwnerFacts } from './owner-facts.tsx';

export function Component() {
  const { counters, newsletter } = home;
  return (
    <>
      <PageMeta page="home" texts={home} />
      <Hero />
      <Intro />
      <SamplePage />
      <Offer />
      {brand.show.counters ? (
        <Section labelledBy="counters" needsReact theme="mint">
          <h2 className="sr-only" id="counters">
            {counters.label}
          </h2>
          <Counters items={counters.items} />
        </Section>
      ) : null}
      {hasSignUp ? (
        <Section labelledBy="newsletter" theme="paper">
          <SignUp headingId="newsletter" texts={newsletter} />
          <div className="mt-16">
            <CallToAction />
          </div>
        </Section>
      ) : (
        <Section theme="paper">
          <CallToAction />
        </Section>
      )}
    </>
  );
}

function Hero() {
  const { label, heading, lead, cta } = home.hero;
  return (
    <section className="hero" data-theme="ink">
      <div className="mx-auto grid max-w-page items-start gap-y-10 px-5 pt-12 pb-16 sm:px-8 lg:grid-cols-[1.15fr_1fr] lg:py-16">
        <div className="enter">
          <Eyebrow>{label}</Eyebrow>
          <h1 className="max-w-[8.1em] text-[clamp(min(2.8rem,17vw),7.4vw,5.1rem)]" tabIndex={-1}>
            {heading}
          </h1>
          <p className="mt-7 max-w-[28em] text-lg text-muted sm:text-xl">{lead}</p>
          <PageLink className={`${buttonClass.large} hero-action mt-9`} to={paths.contact}>
            {cta} <ArrowIcon />
          </PageLink>
        </div>
        <div className="enter self-center">
          <Illustration
            className="mx-auto w-full max-w-[22rem] text-muted sm:max-w-[28rem] lg:max-w-none"
            name="shield"
          />
          <div className="while-moving flex justify-center print:hidden">
            <PauseButton />
          </div>
        </div>
      </div>
    </section>
  );
}

function Intro() {
  const { label, heading, points } = home.intro;
  return (
    <Section labelledBy="intro" theme="paper">
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-2">
        <div className="self-start lg:sticky lg:top-32">
          <SectionHeader heading={heading} id="intro" label={label} />
          <IntroPlot />
        </div>
        <ol>
          {points.map(({ title, text, steps }, index) => (
            <li className="grid grid-cols-[2.5rem_1fr] border-t border-hairline py-7" key={title}>
              <StepNumber className="pt-1" value={index + 1} />
              <div>
                <h3 className="text-xl">{title}</h3>
                <p className="mt-2 text-muted">{text}</p>
                {steps ? <Steps steps={steps} /> : null}
              </div>
            </li>
          ))}
        </ol>
      </div>
      <OwnerFacts />
    </Section>
  );
}

function Steps({ steps }: { steps: { name: string; text: string }[] }) {
  return (
    <ol className="steps mt-6">
      {steps.map(({ name, text }) => (
        <li key={name}>
          <h4 className="font-semibold">{name}</h4>
          <p className="text-muted">{text}</p>
        </li>
      ))}
    </ol>
  );
}

function Offer() {
  const { label, heading, learnMore, cards } = home.offer;
  const offered = cards.flatMap(id => summaries.filter(service => service.id === id));
  return (
    <Section labelledBy="offer" needsReact theme="ink">
      <SectionHeader heading={heading} id="offer" label={label} />
      <div className="mt-12">
        <Carousel label={heading} names={offered.map(({ name }) => name)} texts={home.offer}>
          {offered.map(({ id, name, summary }) => (
            // On tablets, which show one wide slide, the illustration is beside the text.
            <div
              className="grid h-full grid-rows-[auto_1fr] overflow-clip rounded-card border border-hairline bg-raised md:max-lg:grid-cols-[1.1fr_1fr] md:max-lg:grid-rows-[auto] md:max-lg:items-center"
              key={id}
            >
              <Illustration className="w-full text-muted" name={id} />
              <div className="flex flex-col p-7">
                <h3 className="text-2xl">{name}</h3>
                <p className="mt-3 mb-5 text-muted">{summary}</p>
                <PageLink
                  className="mt-auto inline-flex min-h-11 items-center gap-2 self-start font-semibold text-accent hover:underline"
                  to={paths.services}
                >
                  {learnMore}
                  <span className="sr-only">: {name}</span>
                  <ArrowIcon />
                </PageLink>
              </div>
            </div>
          ))}
        </Carousel>
      </div>
    </Section>
  );
}
