import newsletter from 'content:newsletter';
import { NewsletterSignup } from 'site:endpoint';
import { type FormEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '../components/button.ts';
import { PageLink } from '../components/page-link.tsx';
import { PageMeta } from '../components/page-meta.tsx';
import { Prose } from '../components/prose.tsx';
import { PageHeader, Section } from '../components/section.tsx';
import { newsletterStepAt, paths } from '../paths.ts';

export function Component() {
  const step = newsletter.steps[newsletterStepAt(useLocation().pathname) ?? 'later'];
  const { label, heading, lead, nextHeading, next } = step;
  return (
    <>
      <PageMeta words={step} />
      <PageHeader illustration="contact" heading={heading} label={label} lead={lead}>
        {'button' in step ? <OneButton words={step.button} /> : null}
        {'button' in step || 'again' in step ? null : (
          <PageLink className={buttonClass.quiet} to={paths.home}>
            {newsletter.home}
          </PageLink>
        )}
      </PageHeader>
      <Section labelledBy="next" theme="paper">
        <div className="grid gap-x-16 gap-y-14 lg:grid-cols-2">
          <div className={'again' in step ? undefined : 'lg:contents'}>
            <h2 className={headingClass} id="next">
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

/** Without an action it posts to the page's own address, including the token that the link in the mail carries. */
function OneButton({ words }: { words: string }) {
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);

  /** A link works once: the second click of a double click would be told that it was used. */
  function holdSecond(event: FormEvent) {
    if (event.timeStamp - pressedAt.current < doublePressMs) event.preventDefault();
    else pressedAt.current = event.timeStamp;
  }

  return (
    <form method="post" onSubmit={holdSecond}>
      <button className={buttonClass.large} type="submit">
        {words}
      </button>
    </form>
  );
}

function Again({ heading }: { heading: string }) {
  return (
    <section aria-labelledby="again">
      <h2 className={headingClass} id="again">
        {heading}
      </h2>
      <NewsletterSignup form="newsletter" id="again-newsletter" words={newsletter.box} />
    </section>
  );
}

const headingClass = 'mb-6 text-[clamp(1.6rem,3vw,2.2rem)]';
const doublePressMs = 1000;
