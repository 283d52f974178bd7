import newsletter from 'content:newsletter';
import { type FormEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { buttonLook } from '../parts/button.ts';
import { NewsletterBox } from '../parts/newsletter-box.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Prose } from '../parts/prose.tsx';
import { PageTitle, Section } from '../parts/section.tsx';
import { paths, stepAt } from '../paths.ts';

/** Every page on the way into the newsletter and out of it: what has become of it, and what to do next. */
export function Component() {
  const step = newsletter.steps[useStep()];
  const { label, heading, lead, nextHeading, next } = step;
  return (
    <>
      <PageHead words={step} />
      <PageTitle art="contact" heading={heading} label={label} lead={lead}>
        {'button' in step ? <OneButton words={step.button} /> : null}
        {'button' in step || 'again' in step ? null : <WayHome />}
      </PageTitle>
      <Section labelledBy="next" world="paper">
        <div className="grid gap-x-16 gap-y-14 lg:grid-cols-2">
          <div className={'again' in step ? undefined : 'lg:contents'}>
            <h2 className={headingLook} id="next">
              {nextHeading}
            </h2>
            <Prose className="max-w-reading" of={next} />
          </div>
          {'again' in step ? <Again heading={step.again} /> : null}
        </div>
      </Section>
    </>
  );
}

function useStep() {
  return stepAt(useLocation().pathname) ?? 'later';
}

/** Without an action it posts to the page's own address, with whatever the link in the mail brought along. */
function OneButton({ words }: { words: string }) {
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);

  /** A link works once: the second half of a double click would be told that it was used. */
  function holdSecond(event: FormEvent) {
    if (event.timeStamp - pressedAt.current < doublePressMs) event.preventDefault();
    else pressedAt.current = event.timeStamp;
  }

  return (
    <form method="post" onSubmit={holdSecond}>
      <button className={buttonLook.large} type="submit">
        {words}
      </button>
    </form>
  );
}

function WayHome() {
  return (
    <PageLink className={buttonLook.quiet} to={paths.home}>
      {newsletter.home}
    </PageLink>
  );
}

function Again({ heading }: { heading: string }) {
  return (
    <section aria-labelledby="again">
      <h2 className={headingLook} id="again">
        {heading}
      </h2>
      <NewsletterBox form="newsletter" id="again-newsletter" words={newsletter.box} />
    </section>
  );
}

const headingLook = 'mb-6 text-[clamp(1.6rem,3vw,2.2rem)]';
const doublePressMs = 1000;
