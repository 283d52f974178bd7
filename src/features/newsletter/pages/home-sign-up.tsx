import { SignUpForm } from 'site:sign-up';
import { SectionHeader } from '../../../ui/components/section.tsx';
import type { SignUpTexts } from './newsletter-fields.tsx';

type HomeSignUpProps = { texts: SignUpTexts & { heading: string; text: string }; headingId: string };

export function Component({ texts, headingId }: HomeSignUpProps) {
  return (
    <div className="grid gap-x-16 gap-y-8 lg:grid-cols-2">
      <SectionHeader heading={texts.heading} id={headingId} lead={texts.text} />
      <div className="lg:pt-3">
        <SignUpForm form="home" id="home-newsletter" labelledBy={headingId} texts={texts} />
      </div>
    </div>
  );
}
