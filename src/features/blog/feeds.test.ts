import { parseAtomFeed, parseRssFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { createPost } from '../../../tests/harness/sample-post.ts';
import { assertWellFormed } from '../../../tests/harness/xml.ts';
import { contentFolder } from '../../apps/build/vite-config.ts';
import { readContent } from '../../apps/content.ts';
import type { Content } from '../../features.content.ts';
import type { Post } from './blog-types.ts';
import { renderAtom, renderRss } from './feeds.ts';
import { parsePostProse } from './post-prose.ts';
import { getPostLabels } from './read-posts.ts';

const content = readContent(contentFolder).content as Content;
const siteUrl = 'https://www.quiet.co.uk';
const testing = { slug: 'testing', name: 'Testing & more' };

const post = (slug: string, given: Partial<Post> = {}) =>
  createPost(slug, { summary: `What ${slug} is.`, topics: [testing], ...given });

/** Each feed as a feed reader parses it, after a strict XML parser. */
function read(posts: Post[]) {
  const [rss, atom] = [renderRss(content, posts, siteUrl), renderAtom(content, posts, siteUrl)];
  for (const xml of [rss, atom]) assertWellFormed(xml);
  return { rss: parseRssFeed(rss), atom: parseAtomFeed(atom) };
}

test('both feeds have the address, dates and summary of each post, newest first', () => {
  const changed = post('b', { date: '2026-10-05', updated: '2026-11-14' });
  const { rss, atom } = read([changed, post('a')]);
  const address = `${siteUrl}/blog`;
  expect(rss.items?.map(({ link }) => link)).toEqual([`${address}/a`, `${address}/b`]);
  expect(rss.items?.[1]).toMatchObject({
    guid: { value: `${address}/b`, isPermaLink: true },
    pubDate: 'Mon, 05 Oct 2026 00:00:00 GMT',
    categories: [{ name: testing.name }],
    description: 'What b is.',
  });
  expect(atom.entries?.[1]).toMatchObject({
    id: `${address}/b`,
    published: '2026-10-05T00:00:00.000Z',
    updated: '2026-11-14T00:00:00.000Z',
    summary: { value: 'What b is.' },
  });
  expect([rss.lastBuildDate, atom.updated]).toEqual([
    'Sat, 14 Nov 2026 00:00:00 GMT',
    '2026-11-14T00:00:00.000Z',
  ]);
});

test('a feed has the newest twenty posts, and may be empty', () => {
  const days = Array.from({ length: 25 }, (_, index) => `2026-09-${String(index + 1).padStart(2, '0')}`);
  const { rss, atom } = read(days.map(date => post(`on-${date}`, { date })));
  const expected = days.toReversed().slice(0, 20);
  expect(rss.items?.map(({ link }) => link?.split('on-')[1])).toEqual(expected);
  expect(atom.entries?.map(({ id }) => id?.split('on-')[1])).toEqual(expected);
  const empty = read([]);
  expect([empty.rss.items ?? [], empty.atom.entries ?? []]).toEqual([[], []]);
  expect(empty.atom.updated).toBe('1970-01-01T00:00:00.000Z');
});

test('tables, callouts and notes are readable without our styles', () => {
  const markdown = [
    'Known.[^1]\n\n[^1]: From `curl`.\n',
    '> [!WARNING]\n> Do not.\n',
    '| Header | Cost |\n| --- | ---: |\n| HSTS | none |\n',
    '```http\nA: <b> & c\n```\n',
  ];
  const { prose } = parsePostProse(markdown.join('\n'), getPostLabels(content.blog), contentFolder);
  const { rss, atom } = read([post('a', { body: prose })]);
  const html = rss.items?.[0]?.content?.encoded ?? '';
  expect(atom.entries?.[0]?.content).toEqual({ value: html, type: 'html' });
  expect(html.split('\n')).toEqual([
    '<p>Known.<sup>[1]</sup></p>',
    `<blockquote><p><strong>${content.blog.post.callouts.warning}</strong></p><p>Do not.</p></blockquote>`,
    '<table><thead><tr><th>Header</th><th>Cost</th></tr></thead><tbody><tr><td>HSTS</td><td>none</td></tr></tbody></table>',
    '<pre><code>A: &lt;b&gt; &amp; c</code></pre>',
    '<hr>',
    `<h2>${content.blog.post.footnotes}</h2>`,
    '<ol><li><p>From <code>curl</code>.</p></li></ol>',
  ]);
});

test('feeds stay valid XML without scripts for any characters', () => {
  const odd = 'a\u0000\u0008\uFFFE\uD800 ]]> <script>x</script> &amp; \u{1F512} é';
  const { rss, atom } = read([post('a', { title: odd, body: [['script', { onclick: 'x' }, odd]] })]);
  const plain = 'a\uFFFD ]]> <script>x</script> &amp; \u{1F512} é';
  expect([rss.items?.[0]?.title, atom.entries?.[0]?.title?.value]).toEqual([plain, plain]);
  expect(rss.items?.[0]?.content?.encoded).toBe(
    'a\uFFFD ]]&gt; &lt;script&gt;x&lt;/script&gt; &amp;amp; \u{1F512} é',
  );
});
