import { blog } from 'content:blog';
import { settings } from 'content:settings';
import { buttonClass } from '../../../ui/components/button.ts';
import { CallToAction } from '../../../ui/components/call-to-action.tsx';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { Illustration } from '../../../ui/components/illustration.tsx';
import { PageHeader } from '../../../ui/components/page-header.tsx';
import { Section } from '../../../ui/components/section.tsx';
import type { ListView, PostSummary } from '../blog-types.ts';
import { feedPaths, listPath, postPath } from '../contract.ts';
import { PostByline, TopicLinks } from './post-byline.tsx';

const texts = blog.list;

export function ListPage({ view }: { view: ListView }) {
  const { topic, topics, posts, page, pages } = view;
  const label = topic ? texts.topicLabel : blog.label;
  return (
    <>
      <PageHeader
        heading={topic ? topic.name : blog.heading}
        label={pages > 1 ? `${label} · ${describePageNumber(view)}` : label}
        aside={
          <div>
            <p className="mb-8 max-w-[30.6em] text-lg text-muted">{topic ? texts.topicLead : blog.lead}</p>
            {topics.length > 0 ? <Topics current={topic?.slug} topics={topics} /> : null}
          </div>
        }
      />
      <Section theme="paper">
        {posts.length > 0 ? (
          <ul>
            {posts.map(post => (
              <PostEntry key={post.slug} post={post} />
            ))}
          </ul>
        ) : (
          <p className="max-w-reading text-lg">{texts.empty}</p>
        )}
        {pages > 1 ? <Pager page={page} pages={pages} topic={topic?.slug} /> : null}
        {settings.SITE_URL ? <Feeds /> : null}
        <div className="mt-16">
          <CallToAction />
        </div>
      </Section>
    </>
  );
}

function describePageNumber({ page, pages }: Pick<ListView, 'page' | 'pages'>): string {
  return texts.place.replace('{number}', String(page)).replace('{total}', String(pages));
}

function Topics({ topics, current }: { topics: ListView['topics']; current: string | undefined }) {
  const links = [{ slug: undefined, name: texts.all }, ...topics];
  return (
    <nav aria-label={texts.topics} className="print:hidden">
      <ul className="flex flex-wrap gap-2.5">
        {links.map(({ slug, name }) => (
          <li key={name}>
            <a
              aria-current={current === slug ? 'true' : undefined}
              className="inline-flex min-h-11 items-center rounded-pill border border-edge px-5 text-muted hover:border-accent hover:text-text aria-[current]:border-accent aria-[current]:bg-accent aria-[current]:font-semibold aria-[current]:text-on-accent"
              href={listPath(slug)}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PostEntry({ post }: { post: PostSummary }) {
  return (
    <li className="entry relative grid gap-x-12 gap-y-6 border-t border-hairline py-10 first:border-t-0 first:pt-0 md:grid-cols-[clamp(14rem,36vw,28rem)_minmax(0,1fr)]">
      <div className="self-start overflow-clip rounded-card" data-theme="ink">
        <Illustration
          className="aspect-[8/5] w-full grid-rows-[minmax(0,1fr)] text-muted"
          name={post.illustration}
        />
      </div>
      <article>
        <PostByline post={post} />
        <h2 className="mt-3 max-w-[17.6em] text-[clamp(1.6rem,2.6vw,2.1rem)]">
          <a className="entry-link" href={postPath(post.slug)}>
            {post.title}
          </a>
        </h2>
        <p className="mt-3 max-w-reading text-muted">{post.summary}</p>
        <TopicLinks topics={post.topics} />
      </article>
    </li>
  );
}

type PagerProps = { topic: string | undefined; page: number; pages: number };

function Pager({ topic, page, pages }: PagerProps) {
  return (
    <nav aria-label={texts.pages} className="mt-10 flex flex-wrap items-center justify-between gap-4">
      {page > 1 ? (
        <a className={buttonClass.quiet} href={listPath(topic, page - 1)} rel="prev">
          {texts.newer}
        </a>
      ) : null}
      <p className="font-mono text-sm text-muted">{describePageNumber({ page, pages })}</p>
      {page < pages ? (
        <a className={buttonClass.quiet} href={listPath(topic, page + 1)} rel="next">
          {texts.older} <ArrowIcon />
        </a>
      ) : null}
    </nav>
  );
}

function Feeds() {
  return (
    <nav aria-label={texts.feeds} className="mt-10 flex flex-wrap items-center gap-x-6 print:hidden">
      <p aria-hidden="true" className="inline-flex min-h-11 items-center text-muted">
        {texts.feeds}
      </p>
      <a className={feedLinkClass} href={feedPaths.rss}>
        {texts.rss}
      </a>
      <a className={feedLinkClass} href={feedPaths.atom}>
        {texts.atom}
      </a>
    </nav>
  );
}

const feedLinkClass =
  'inline-flex min-h-11 items-center text-accent underline decoration-edge underline-offset-8 hover:decoration-accent';
