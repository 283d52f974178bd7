import { SignUpForm } from 'site:sign-up';
import type { SignUpTexts } from './newsletter-fields.tsx';

type FooterSignUpProps = { texts: SignUpTexts & { title: string }; titleClass: string };

export function Component({ texts, titleClass }: FooterSignUpProps) {
  return (
    <div className="max-lg:max-w-[28rem]">
      <h2 className={titleClass} id="footer-heading">
        {texts.title}
      </h2>
      <SignUpForm form="footer" id="footer-newsletter" labelledBy="footer-heading" texts={texts} />
    </div>
  );
}
