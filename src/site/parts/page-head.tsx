import company from 'content:company';
import settings from 'content:settings';
import { version } from 'found:pictures';
import { type FoundName, paths, picturePath } from '../paths.ts';

type PageHeadProps = {
  words: { title: string; description: string; picture?: string };
  /** One that is to be found and shared; all others ask to be left alone. */
  page?: FoundName;
};

/** React moves these into head; the prerender writes them there from the start. */
export function PageHead({ words, page }: PageHeadProps) {
  const { title, description } = words;
  return (
    <>
      <title>{page === 'home' ? `${company.name} — ${title}` : `${title} — ${company.name}`}</title>
      <meta content={description} name="description" />
      {page ? <ShareTags page={page} words={words} /> : <meta content="noindex" name="robots" />}
    </>
  );
}

/** What chats and social networks show of a link. What all pages say alike is in no script: the build writes it. */
function ShareTags({ words, page }: Required<PageHeadProps>) {
  const { SITE_URL } = settings;
  return (
    <>
      <meta content={words.title} property="og:title" />
      <meta content={words.description} property="og:description" />
      {SITE_URL ? (
        <>
          <link href={SITE_URL + paths[page]} rel="canonical" />
          <meta content={SITE_URL + paths[page]} property="og:url" />
          <meta content={`${SITE_URL}${picturePath(page)}?v=${version}`} property="og:image" />
          <meta content={words.picture} property="og:image:alt" />
        </>
      ) : null}
    </>
  );
}
