import { newsletter } from 'content:newsletter';
import { SignUpForm } from './sign-up-form.tsx';

type SignUpAgainProps = { heading: string; headingClass: string };

export function Component({ heading, headingClass }: SignUpAgainProps) {
  return (
    <section aria-labelledby="again">
      <h2 className={headingClass} id="again">
        {heading}
      </h2>
      <SignUpForm form="newsletter" id="again-newsletter" labelledBy="again" texts={newsletter.form} />
    </section>
  );
}
