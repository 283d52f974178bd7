import * as v from 'valibot';
import {
  description,
  indexedPageMeta,
  listOf,
  pageHeader,
  slug,
  strictObject,
  text,
  texts,
} from '../../../core/content/fields.ts';

function hasDuplicates(values: string[]): boolean {
  return new Set(values).size < values.length;
}

export const blog = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  topics: v.pipe(
    listOf(strictObject({ slug: slug(), name: text(40) }), 1, 30),
    v.check(topics => !hasDuplicates(topics.map(one => one.slug)), 'uses a slug twice'),
    v.check(topics => !hasDuplicates(topics.map(one => one.name)), 'uses a name twice'),
    v.check(
      topics => topics.every(one => one.slug !== 'index'),
      "has the slug 'index', which web hosts treat as a folder",
    ),
  ),
  list: strictObject({
    ...texts(40, ['topics', 'all', 'topicTitle', 'pageTitle', 'pages', 'place', 'feeds']),
    ...texts(30, ['newer', 'older', 'rss', 'atom']),
    topicDescription: description(),
    topicLabel: text(60),
    ...texts(400, ['topicLead', 'empty']),
  }),
  post: strictObject({
    by: text(80),
    ...texts(30, ['updated', 'minutes', 'draft', 'scheduled']),
    ...texts(40, ['topics', 'footnotes', 'backToText', 'table', 'code', 'related']),
    callouts: strictObject(texts(30, ['note', 'tip', 'important', 'warning', 'caution'])),
  }),
});

export type BlogTexts = v.InferOutput<typeof blog>;
