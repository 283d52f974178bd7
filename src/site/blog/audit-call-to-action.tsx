import blog from 'content:blog';
import { buttonClass } from '../components/button.ts';
import { ArrowIcon } from '../components/icon.tsx';
import { paths } from '../paths.ts';

export function AuditCallToAction() {
  const { heading, text, button } = blog.post.audit;
  return (
    <section aria-labelledby="audit_" className={boxClass} data-theme="ink">
      <div>
        <h2 className="max-w-[13.5em] text-[clamp(1.6rem,2.6vw,2.1rem)]" id="audit_">
          {heading}
        </h2>
        <p className="mt-4 max-w-reading text-muted">{text}</p>
      </div>
      <a className={buttonClass.large} href={paths.contact}>
        {button} <ArrowIcon />
      </a>
    </section>
  );
}

const boxClass =
  'mt-16 grid print:hidden items-center justify-items-start gap-x-12 gap-y-7 rounded-card px-6 py-9 sm:px-10 sm:py-11 lg:grid-cols-[minmax(0,1fr)_auto]';
