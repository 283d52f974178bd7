import { site } from 'content:site';
import { Slot as CheckLink } from 'slot:check-link';
import { buttonClass } from '../../../ui/components/button.ts';
import { Illustration } from '../../../ui/components/illustration.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { Eyebrow } from '../../../ui/components/section.tsx';
import { paths } from '../../../ui/paths.ts';

export function Component() {
  const { label, heading, lead, home, services, contact } = site.notFound;
  return (
    <>
      <PageMeta texts={site.notFound} />
      <section className="hero" data-theme="ink">
        <div className="mx-auto grid max-w-page items-start gap-y-10 px-5 py-section sm:px-8 lg:grid-cols-[1.15fr_1fr]">
          <div className="enter">
            <Eyebrow>{label}</Eyebrow>
            <h1 className="max-w-[9.5em] text-[clamp(2.4rem,6vw,4.2rem)]" tabIndex={-1}>
              {heading}
            </h1>
            <p className="mt-6 max-w-[29.3em] text-lg text-muted">{lead}</p>
            <PageLink className={`${buttonClass.primary} mt-9`} to={paths.home}>
              {home}
            </PageLink>
            <div className="mt-4 flex flex-wrap gap-x-6">
              <PageLink className={linkClass} to={paths.services}>
                {services}
              </PageLink>
              <PageLink className={linkClass} to={paths.contact}>
                {contact}
              </PageLink>
              <CheckLink className={linkClass} />
            </div>
          </div>
          <div className="enter self-center">
            <Illustration className="mx-auto w-full max-w-[34rem] text-muted" name="not-found" />
          </div>
        </div>
      </section>
    </>
  );
}

const linkClass = 'inline-flex min-h-11 items-center underline underline-offset-4 hover:text-accent';
