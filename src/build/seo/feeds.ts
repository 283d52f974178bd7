import type { Post } from '../../content/blog/blog-types.ts';
import { simplifyProse } from '../../content/blog/simplify-prose.ts';
import type { Prose, ProseNode } from '../../content/prose.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { feedPaths, paths, postPath } from '../../site/paths.ts';
import { lastChange } from './indexed-pages.ts';
import { iconPaths } from './web-manifest.ts';

type Words = Pick<Content, 'company' | 'blog'>;

const maxPosts = 20;

const language = 'en-GB';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function writeRss({ company, blog }: Words, posts: Post[], siteUrl: string): string {
  const shown = newest(posts);
  const changed = lastChange(shown);
  const items = shown.map(post => {
    const address = siteUrl + postPath(post.slug);
    return element('item', {}, [
      element('title', {}, post.title),
      element('link', {}, address),
      element('guid', { isPermaLink: 'true' }, address),
      element('pubDate', {}, utc(post.date)),
      element('dc:creator', {}, company.name),
      ...post.topics.map(({ name }) => element('category', {}, name)),
      element('description', {}, post.summary),
      element('content:encoded', {}, writeFeedHtml(simplifyProse(post.body), address)),
    ]);
  });
  const self = { href: siteUrl + feedPaths.rss, rel: 'self', type: 'application/rss+xml' };
  const spaces = {
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  };
  const channel = element('channel', {}, [
    element('title', {}, formatTitle({ company, blog })),
    element('link', {}, siteUrl + paths.blog),
    element('description', {}, blog.description),
    element('language', {}, language),
    ...(changed ? [element('lastBuildDate', {}, utc(changed))] : []),
    element('atom:link', self),
    ...items,
  ]);
  return `${declaration}${element('rss', { version: '2.0', ...spaces }, [channel])}\n`;
}

export function writeAtom({ company, blog }: Words, posts: Post[], siteUrl: string): string {
  const shown = newest(posts);
  const entries = shown.map(post => {
    const address = siteUrl + postPath(post.slug);
    return element('entry', {}, [
      element('id', {}, address),
      element('title', {}, post.title),
      element('link', { href: address, rel: 'alternate', type: 'text/html' }),
      element('published', {}, instant(post.date)),
      element('updated', {}, instant(post.updated ?? post.date)),
      ...post.topics.map(({ slug, name }) => element('category', { term: slug, label: name })),
      element('summary', {}, post.summary),
      element('content', { type: 'html' }, writeFeedHtml(simplifyProse(post.body), address)),
    ]);
  });
  return `${declaration}${element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language }, [
    element('id', {}, siteUrl + paths.blog),
    element('title', {}, formatTitle({ company, blog })),
    element('subtitle', {}, blog.description),
    // Atom requires a time even where there is no post.
    element('updated', {}, instant(lastChange(shown) ?? '1970-01-01')),
    element('link', { href: siteUrl + feedPaths.atom, rel: 'self', type: 'application/atom+xml' }),
    element('link', { href: siteUrl + paths.blog, rel: 'alternate', type: 'text/html' }),
    element('author', {}, [element('name', {}, company.name), element('uri', {}, `${siteUrl}/`)]),
    element('icon', {}, siteUrl + iconPaths.small),
    ...entries,
  ])}\n`;
}

function formatTitle({ company, blog }: Words): string {
  return `${blog.title} — ${company.name}`;
}

function newest(posts: Post[]): Post[] {
  return posts.toSorted((one, other) => other.date.localeCompare(one.date)).slice(0, maxPosts);
}

function instant(day: string): string {
  return `${day}T00:00:00Z`;
}

/** RFC 822, with the four-digit year that RSS asks for. */
function utc(day: string): string {
  return new Date(instant(day)).toUTCString().replace('GMT', '+0000');
}

function element(name: string, attributes: Record<string, string>, inner?: string | string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const opening = `<${name}${written.join('')}`;
  if (inner === undefined) return `${opening}/>`;
  return `${opening}>${typeof inner === 'string' ? escapeXml(inner) : `\n${inner.join('\n')}\n`}</${name}>`;
}

/** Characters that no XML may contain, escaped or not, are left out. */
function escapeXml(text: string): string {
  const allowed = text.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  return escapeHtml(allowed);
}

const feedTags = new Set(
  'p h2 h3 ul ol li a strong em code pre blockquote table thead tbody tr th td img hr br sup'.split(' '),
);
const voidTags = new Set(['img', 'hr', 'br']);

/** HTML for feed readers: absolute addresses, no scripts, no styles. */
function writeFeedHtml(prose: Prose, address: string): string {
  function write(node: ProseNode): string {
    if (typeof node === 'string') return escapeHtml(node);
    const [tag, attributes, ...children] = node;
    const inner = children.map(write).join('');
    if (!feedTags.has(tag)) return inner;
    const written = Object.entries(attributes).map(([name, value]) => {
      const whole = name === 'href' || name === 'src' ? (URL.parse(value, address)?.href ?? '') : value;
      return ` ${name}="${escapeHtml(whole)}"`;
    });
    const opening = `<${tag}${written.join('')}>`;
    return voidTags.has(tag) ? opening : `${opening}${inner}</${tag}>`;
  }
  return prose.map(write).join('\n');
}
