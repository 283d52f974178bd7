import { generateAtomFeed, generateRssFeed } from 'feedsmith';
import type { ProseNode } from '../../core/content/prose.ts';
import type { Brand } from '../../core/content/schemas/brand.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { iconPaths } from '../../lib/icon-paths.ts';
import type { Post } from './blog-types.ts';
import { blogPath, feedPaths, postPath } from './contract.ts';
import { lastChange } from './describe-view.ts';
import type { BlogTexts } from './schemas/blog.ts';
import { simplifyProse } from './simplify-prose.ts';

type Texts = { brand: Pick<Brand, 'name'>; blog: BlogTexts };

const maxPosts = 20;
const language = 'en-GB';

export function renderRss({ brand, blog }: Texts, posts: Post[], siteUrl: string): string {
  const shown = newest(posts);
  const changed = lastChange(shown);
  const self = { href: siteUrl + feedPaths.rss, rel: 'self', type: 'application/rss+xml' };
  const feed = generateRssFeed({
    title: formatTitle({ brand, blog }),
    link: siteUrl + blogPath,
    description: blog.description,
    language,
    ...(changed && { lastBuildDate: new Date(changed) }),
    atom: { links: [self] },
    items: shown.map(post => ({
      title: post.title,
      link: siteUrl + postPath(post.slug),
      guid: { value: siteUrl + postPath(post.slug), isPermaLink: true },
      pubDate: new Date(post.date),
      dc: { creators: [brand.name] },
      categories: post.topics.map(({ name }) => ({ name })),
      description: post.summary,
      content: { encoded: renderFeedHtml(post, siteUrl) },
    })),
  });
  return removeInvalidCharacters(feed);
}

export function renderAtom({ brand, blog }: Texts, posts: Post[], siteUrl: string): string {
  const shown = newest(posts);
  const feed = generateAtomFeed({
    id: siteUrl + blogPath,
    title: { value: formatTitle({ brand, blog }) },
    subtitle: { value: blog.description },
    // Atom requires a time even where there is no post.
    updated: new Date(lastChange(shown) ?? '1970-01-01'),
    links: [
      { href: siteUrl + feedPaths.atom, rel: 'self', type: 'application/atom+xml' },
      { href: siteUrl + blogPath, rel: 'alternate', type: 'text/html' },
    ],
    authors: [{ name: brand.name, uri: `${siteUrl}/` }],
    icon: siteUrl + iconPaths.small,
    xml: { lang: language },
    entries: shown.map(post => ({
      id: siteUrl + postPath(post.slug),
      title: { value: post.title },
      links: [{ href: siteUrl + postPath(post.slug), rel: 'alternate', type: 'text/html' }],
      published: new Date(post.date),
      updated: new Date(post.updated ?? post.date),
      categories: post.topics.map(({ slug, name }) => ({ term: slug, label: name })),
      summary: { value: post.summary },
      content: { value: renderFeedHtml(post, siteUrl), type: 'html' },
    })),
  });
  return removeInvalidCharacters(feed);
}

function formatTitle({ brand, blog }: Texts): string {
  return `${blog.title} – ${brand.name}`;
}

function newest(posts: Post[]): Post[] {
  return posts.toSorted((one, other) => other.date.localeCompare(one.date)).slice(0, maxPosts);
}

/** Characters that no XML may contain, escaped or not. */
function removeInvalidCharacters(xml: string): string {
  return xml.toWellFormed().replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}

const feedTags = new Set(
  'p h2 h3 ul ol li a strong em code pre blockquote table thead tbody tr th td img hr br sup'.split(' '),
);
const voidTags = new Set(['img', 'hr', 'br']);

function renderFeedHtml({ slug, body }: Post, siteUrl: string): string {
  const postUrl = siteUrl + postPath(slug);
  function write(node: ProseNode): string {
    if (typeof node === 'string') return escapeHtml(node);
    const [tag, attributes, ...children] = node;
    const inner = children.map(write).join('');
    if (!feedTags.has(tag)) return inner;
    const written = Object.entries(attributes).map(([name, value]) => {
      const whole = name === 'href' || name === 'src' ? (URL.parse(value, postUrl)?.href ?? '') : value;
      return ` ${name}="${escapeHtml(whole)}"`;
    });
    const opening = `<${tag}${written.join('')}>`;
    return voidTags.has(tag) ? opening : `${opening}${inner}</${tag}>`;
  }
  return simplifyProse(body).map(write).join('\n');
}
