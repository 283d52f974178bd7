import { newsletter } from 'content:newsletter';
import { Slot as SignUpAgain } from 'slot:sign-up-again';
import { type FormEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '../../../ui/components/button.ts';
import { PageHeader } from '../../../ui/components/page-header.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { Prose } from '../../../ui/components/prose.tsx';
import { Section } from '../../../ui/components/section.tsx';
import { paths } from '../../../ui/paths.ts';
import { type NewsletterPage, newsletterPaths } from '../contract.ts';

export function Component() {
  const page = newsletter.pages[findPage(useLocation().pathname)];
  const { label, heading, lead, nextHeading, next } = page;
  return (
    <>
      <PageMeta texts={page} />
      <PageHeader illustration="contact" heading={heading} label={label} lead={lead}>
        {'button' in page ? <StepButton label={page.button} /> : null}
        {'button' in page || 'signUpAgain' in page ? null : (
          <PageLink className={buttonClass.quiet} to={paths.home}>
            {newsletter.home}
          </PageLink>
        )}
      </PageHeader>
      <Section labelledBy="next" theme="paper">
        <div className="grid gap-x-16 gap-y-14 lg:grid-cols-2">
          <div className={'signUpAgain' in page ? undefined : 'lg:contents'}>
            <h2 className={headingClass} id="next">
              {nextHeading}
            </h2>
            <Prose className="max-w-reading" content={next} />
          </div>
          {'signUpAgain' in page ? (
            <SignUpAgain heading={page.signUpAgain} headingClass={headingClass} />
          ) : null}
        </div>
      </Section>
    </>
  );
}

function findPage(path: string): NewsletterPage {
  const names = Object.keys(newsletterPaths) as NewsletterPage[];
  return names.find(name => newsletterPaths[name] === path) ?? 'unavailable';
}

/** Without an action the form posts to the page's own URL, with the token from the link in the mail. */
function StepButton({ label }: { label: string }) {
  const clickedAt = useRef(Number.NEGATIVE_INFINITY);

  function ignoreDoubleClick(event: FormEvent) {
    if (event.timeStamp - clickedAt.current < doubleClickMs) event.preventDefault();
    else clickedAt.current = event.timeStamp;
  }

  return (
    <form aria-label={label} method="post" onSubmit={ignoreDoubleClick}>
      <button className={buttonClass.large} type="submit">
        {label}
      </button>
    </form>
  );
}

const headingClass = 'mb-6 text-[clamp(1.6rem,3vw,2.2rem)]';
const doubleClickMs = 1000;
