import { brand } from 'content:brand';
import { openGraphVersion as version } from 'content:open-graph-version';
import { settings } from 'content:settings';
import { openGraphImagePath } from '../paths.ts';
import { findPage } from '../site-pages.ts';

type PageTexts = { title: string; description: string; imageHeading?: string };

export function PageMeta({ texts, page }: { texts: PageTexts; page?: string }) {
  const { title, description } = texts;
  return (
    <>
      <title>{page === 'home' ? `${brand.name} – ${title}` : `${title} – ${brand.name}`}</title>
      <meta content={description} name="description" />
      {page ? (
        <OpenGraphTags
          image={`${openGraphImagePath(page)}?v=${version}`}
          path={findPage(page)?.paths[0] ?? ''}
          texts={texts}
        />
      ) : (
        <meta content="noindex" name="robots" />
      )}
    </>
  );
}

type OpenGraphTagsProps = { texts: PageTexts; path: string; image: string | undefined };

export function OpenGraphTags({ texts, path, image }: OpenGraphTagsProps) {
  const { SITE_URL } = settings;
  return (
    <>
      <meta content={texts.title} property="og:title" />
      <meta content={texts.description} property="og:description" />
      {SITE_URL ? (
        <>
          <link href={SITE_URL + path} rel="canonical" />
          <meta content={SITE_URL + path} property="og:url" />
          {image ? <meta content={SITE_URL + image} property="og:image" /> : null}
          {image ? <meta content={texts.imageHeading} property="og:image:alt" /> : null}
        </>
      ) : null}
    </>
  );
}
