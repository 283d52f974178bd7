import * as v from 'valibot';
import { description, group, listOf, slug, text } from '../fields.ts';
import { foundHead, pageOpening } from './heads.ts';

function hasDoubles(words: string[]): boolean {
  return new Set(words).size < words.length;
}

/** What stands around the posts of the blog. They themselves are files of content/blog/. */
export const blog = group({
  ...foundHead,
  ...pageOpening,
  topics: v.pipe(
    listOf(group({ slug: slug(), name: text(40) }), 1, 30),
    v.check(topics => !hasDoubles(topics.map(one => one.slug)), 'has one slug twice'),
    v.check(topics => !hasDoubles(topics.map(one => one.name)), 'has one name twice'),
    v.check(
      topics => topics.every(one => one.slug !== 'index'),
      "has the slug 'index', which hosts take for a folder",
    ),
  ),
  list: group({
    topics: text(40),
    all: text(40),
    topicTitle: text(40),
    topicDescription: description(),
    topicLabel: text(60),
    topicLead: text(),
    pageTitle: text(40),
    pages: text(40),
    place: text(40),
    newer: text(30),
    older: text(30),
    empty: text(),
    feeds: text(40),
    rss: text(30),
    atom: text(30),
  }),
  post: group({
    by: text(80),
    updated: text(30),
    minutes: text(30),
    draft: text(30),
    topics: text(40),
    footnotes: text(40),
    backToText: text(40),
    table: text(40),
    code: text(40),
    callouts: group({
      note: text(30),
      tip: text(30),
      important: text(30),
      warning: text(30),
      caution: text(30),
    }),
    neighbours: text(60),
    newer: text(30),
    older: text(30),
    related: text(40),
    audit: group({ heading: text(80), text: text(), button: text(50) }),
  }),
});
