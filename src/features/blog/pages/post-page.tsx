import { blog } from 'content:blog';
import type { ReactNode } from 'react';
import { CallToAction } from '../../../ui/components/call-to-action.tsx';
import { Illustration } from '../../../ui/components/illustration.tsx';
import { ReadingLayout } from '../../../ui/components/reading-layout.tsx';
import { Section } from '../../../ui/components/section.tsx';
import type { Post, PostSummary, PostView } from '../blog-types.ts';
import { blogPath, postPath } from '../contract.ts';
import { PostBody } from './post-body.tsx';
import { formatDate, formatReadingTime, PostByline, TopicLinks } from './post-byline.tsx';

export function PostPage({ view }: { view: PostView }) {
  const { post } = view;
  const body = <PostBody content={post.body} />;
  return (
    <article>
      <PostHeader post={post} />
      {isLong(post) ? (
        <ReadingLayout contents={listContents(post)}>{body}</ReadingLayout>
      ) : (
        <PlainLayout>{body}</PlainLayout>
      )}
      <div className="print:hidden">
        <FurtherReading related={view.related} />
      </div>
    </article>
  );
}

function isLong(post: Post): boolean {
  return post.wordCount >= 700 && listContents(post).length >= 4;
}

function listContents({ contents }: Post): { id: string; title: string }[] {
  return contents.filter(({ depth }) => depth === 2).map(({ id, text }) => ({ id, title: text }));
}

function PostHeader({ post }: { post: Post }) {
  return (
    <section data-theme="ink">
      <div className="mx-auto grid max-w-page items-center gap-x-16 px-5 py-hero sm:px-8 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
        <div className="enter">
          <p className="mb-3 print:hidden">
            <a
              className="inline-flex min-h-11 min-w-11 items-center capitals tracking-[0.14em] text-accent underline decoration-transparent underline-offset-6 hover:decoration-accent"
              href={blogPath}
            >
              {blog.label}
            </a>
          </p>
          <h1 className="max-w-[14.9em] text-[clamp(min(2.1rem,13vw),4.8vw,3.5rem)]" tabIndex={-1}>
            {post.title}
          </h1>
          <p className="mt-6 max-w-[34.6em] text-lg text-muted">{post.summary}</p>
          <div className="mt-7">
            <PostByline post={post} />
            <p className="mt-1.5 font-mono text-sm text-muted">{blog.post.by}</p>
          </div>
          <TopicLinks topics={post.topics} />
        </div>
        <div className="enter max-lg:hidden">
          <Illustration className="w-full text-muted" name={post.illustration} />
        </div>
      </div>
    </section>
  );
}

function PlainLayout({ children }: { children: ReactNode }) {
  return (
    <section data-theme="paper">
      <div className="enter fade mx-auto max-w-page px-5 py-section sm:px-8">
        <div className="lg:pl-[calc(clamp(14rem,20vw,17rem)+clamp(3rem,6vw,6rem))]">{children}</div>
      </div>
    </section>
  );
}

function FurtherReading({ related }: { related: PostSummary[] }) {
  return (
    <Section isRaised theme="paper">
      {related.length > 0 ? (
        <section aria-labelledby="related_" className="mb-16">
          <h2 className="text-[clamp(1.6rem,2.6vw,2.1rem)]" id="related_">
            {blog.post.related}
          </h2>
          <ul className="mt-7 grid gap-x-8 gap-y-7 md:grid-cols-3">
            {related.map(post => (
              <li className="entry relative border-t-2 border-accent pt-5" key={post.slug}>
                <h3 className="text-xl">
                  <a className="entry-link" href={postPath(post.slug)}>
                    {post.title}
                  </a>
                </h3>
                <p className="mt-3 font-mono text-sm text-muted">
                  <time dateTime={post.date}>{formatDate(post.date)}</time> ·{' '}
                  {formatReadingTime(post.minutes).replaceAll(' ', '\u00a0')}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <CallToAction />
    </Section>
  );
}
