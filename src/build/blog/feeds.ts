import { plainProse } from '../../content/blog/plain-prose.ts';
import type { Post } from '../../content/blog/types.ts';
import type { Content } from '../../content/schemas.ts';
import { feedPaths, paths, postPath } from '../../site/paths.ts';
import { iconPaths } from '../found/icon-paths.ts';
import { writeFeedHtml } from './feed-html.ts';
import { element as tag } from './xml.ts';

type Words = Pick<Content, 'company' | 'blog'>;

/** How far back somebody reads who begins to follow us today. */
const most = 20;

const language = 'en-GB';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The newest posts with all of their words, for readers of RSS 2.0. */
export function writeRss({ company, blog }: Words, posts: Post[], siteUrl: string): string {
  const shown = newest(posts);
  const changed = lastChange(shown);
  const items = shown.map(post => {
    const address = siteUrl + postPath(post.slug);
    return tag('item', {}, [
      tag('title', {}, post.title),
      tag('link', {}, address),
      tag('guid', { isPermaLink: 'true' }, address),
      tag('pubDate', {}, utc(post.date)),
      tag('dc:creator', {}, company.name),
      ...post.topics.map(({ name }) => tag('category', {}, name)),
      tag('description', {}, post.summary),
      tag('content:encoded', {}, writeFeedHtml(plainProse(post.body), address)),
    ]);
  });
  const self = { href: siteUrl + feedPaths.rss, rel: 'self', type: 'application/rss+xml' };
  const spaces = {
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  };
  const channel = tag('channel', {}, [
    tag('title', {}, titleOf({ company, blog })),
    tag('link', {}, siteUrl + paths.blog),
    tag('description', {}, blog.description),
    tag('language', {}, language),
    ...(changed ? [tag('lastBuildDate', {}, utc(changed))] : []),
    tag('atom:link', self),
    ...items,
  ]);
  return `${declaration}${tag('rss', { version: '2.0', ...spaces }, [channel])}\n`;
}

/** The same for readers of Atom 1.0. */
export function writeAtom({ company, blog }: Words, posts: Post[], siteUrl: string): string {
  const shown = newest(posts);
  const entries = shown.map(post => {
    const address = siteUrl + postPath(post.slug);
    return tag('entry', {}, [
      tag('id', {}, address),
      tag('title', {}, post.title),
      tag('link', { href: address, rel: 'alternate', type: 'text/html' }),
      tag('published', {}, instant(post.date)),
      tag('updated', {}, instant(post.updated ?? post.date)),
      ...post.topics.map(({ slug, name }) => tag('category', { term: slug, label: name })),
      tag('summary', {}, post.summary),
      tag('content', { type: 'html' }, writeFeedHtml(plainProse(post.body), address)),
    ]);
  });
  return `${declaration}${tag('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language }, [
    tag('id', {}, siteUrl + paths.blog),
    tag('title', {}, titleOf({ company, blog })),
    tag('subtitle', {}, blog.description),
    // The format asks for a time even where nothing was ever written.
    tag('updated', {}, instant(lastChange(shown) ?? '1970-01-01')),
    tag('link', { href: siteUrl + feedPaths.atom, rel: 'self', type: 'application/atom+xml' }),
    tag('link', { href: siteUrl + paths.blog, rel: 'alternate', type: 'text/html' }),
    tag('author', {}, [tag('name', {}, company.name), tag('uri', {}, `${siteUrl}/`)]),
    tag('icon', {}, siteUrl + iconPaths.small),
    ...entries,
  ])}\n`;
}

function titleOf({ company, blog }: Words): string {
  return `${blog.title} — ${company.name}`;
}

function newest(posts: Post[]): Post[] {
  return posts.toSorted((one, other) => other.date.localeCompare(one.date)).slice(0, most);
}

function lastChange(posts: Post[]): string | undefined {
  return posts
    .map(({ date, updated }) => updated ?? date)
    .sort()
    .at(-1);
}

function instant(day: string): string {
  return `${day}T00:00:00Z`;
}

/** As RFC 822 writes a day, with the four figures of the year that RSS asks for. */
function utc(day: string): string {
  return new Date(instant(day)).toUTCString().replace('GMT', '+0000');
}
