import site from 'content:site';
import { buttonLook } from '../parts/button.ts';
import { PageHead } from '../parts/page-head.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Label, Section } from '../parts/section.tsx';
import { paths } from '../paths.ts';

export function Component() {
  const { title, description, label, heading, lead, home, services, contact } = site.notFound;
  return (
    <>
      <PageHead description={description} title={title} />
      <meta content="noindex" name="robots" />
      <Section world="paper">
        <Label>{label}</Label>
        <h1 className="max-w-[16ch] text-[clamp(2.2rem,6vw,4rem)]" tabIndex={-1}>
          {heading}
        </h1>
        <p className="mt-6 max-w-prose text-lg text-muted">{lead}</p>
        <div className="mt-9 flex flex-wrap gap-4">
          <PageLink className={buttonLook.primary} to={paths.home}>
            {home}
          </PageLink>
          <PageLink className={buttonLook.quiet} to={paths.services}>
            {services}
          </PageLink>
          <PageLink className={buttonLook.quiet} to={paths.contact}>
            {contact}
          </PageLink>
        </div>
      </Section>
    </>
  );
}
