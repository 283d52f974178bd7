import blog from 'content:blog';
import company from 'content:company';
import settings from 'content:settings';
import type { BlogView } from '../../content/blog/types.ts';
import { feedPaths, listPath } from '../paths.ts';

/** React moves these to the front of the HTML, and the prerender into head. */
export function BlogHead({ view }: { view: BlogView }) {
  const { SITE_URL } = settings;
  const { title, description, picture, share } = view.head;
  return (
    <>
      <title>{`${title} — ${company.name}`}</title>
      <meta content={description} name="description" />
      <meta content={title} property="og:title" />
      <meta content={description} property="og:description" />
      {SITE_URL ? (
        <>
          <link href={SITE_URL + view.path} rel="canonical" />
          <meta content={SITE_URL + view.path} property="og:url" />
          {share ? <meta content={SITE_URL + share} property="og:image" /> : null}
          {share ? <meta content={picture} property="og:image:alt" /> : null}
          <link href={feedPaths.rss} rel="alternate" title={blog.list.rss} type="application/rss+xml" />
          <link href={feedPaths.atom} rel="alternate" title={blog.list.atom} type="application/atom+xml" />
        </>
      ) : null}
      {view.kind === 'list' ? <Neighbours {...view} /> : null}
    </>
  );
}

function Neighbours({ topic, page, pages }: { topic?: { slug: string }; page: number; pages: number }) {
  return (
    <>
      {page > 1 ? <link href={listPath(topic?.slug, page - 1)} rel="prev" /> : null}
      {page < pages ? <link href={listPath(topic?.slug, page + 1)} rel="next" /> : null}
    </>
  );
}
