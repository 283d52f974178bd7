import { blog } from 'content:blog';
import { brand } from 'content:brand';
import { settings } from 'content:settings';
import { OpenGraphTags } from '../../../ui/components/page-meta.tsx';
import type { BlogView } from '../blog-types.ts';
import { feedPaths, listPath } from '../contract.ts';

export function BlogMeta({ view }: { view: BlogView }) {
  const { meta, path } = view;
  return (
    <>
      <title>{`${meta.title} – ${brand.name}`}</title>
      <meta content={meta.description} name="description" />
      <OpenGraphTags image={meta.imageUrl} path={path} texts={meta} />
      {settings.SITE_URL ? (
        <>
          <link href={feedPaths.rss} rel="alternate" title={blog.list.rss} type="application/rss+xml" />
          <link href={feedPaths.atom} rel="alternate" title={blog.list.atom} type="application/atom+xml" />
        </>
      ) : null}
      {view.kind === 'list' && view.page > 1 ? (
        <link href={listPath(view.topic?.slug, view.page - 1)} rel="prev" />
      ) : null}
      {view.kind === 'list' && view.page < view.pages ? (
        <link href={listPath(view.topic?.slug, view.page + 1)} rel="next" />
      ) : null}
    </>
  );
}
