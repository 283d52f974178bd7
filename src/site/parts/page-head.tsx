import company from 'content:company';
import settings from 'content:settings';
import { paths } from '../paths.ts';

type PageHeadProps = { title: string; description: string; page?: keyof typeof paths };

/** React moves these into head; the prerender writes them there from the start. */
export function PageHead({ title, description, page }: PageHeadProps) {
  const address = settings.SITE_URL && page ? settings.SITE_URL + paths[page] : undefined;
  return (
    <>
      <title>{page === 'home' ? `${company.name} — ${title}` : `${title} — ${company.name}`}</title>
      <meta content={description} name="description" />
      {address ? <link href={address} rel="canonical" /> : null}
      {address ? <meta content={address} property="og:url" /> : null}
    </>
  );
}
