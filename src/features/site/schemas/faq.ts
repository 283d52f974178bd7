import * as v from 'valibot';
import {
  indexedPageMeta,
  listOf,
  markdown,
  pageHeader,
  slug,
  strictObject,
  text,
  texts,
} from '../../../core/content/fields.ts';

export const faq = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  ...texts(40, ['openAll', 'closeAll', 'linkToAnswer', 'ask']),
  popular: v.optional(strictObject({ heading: text(40), questions: listOf(slug(), 1, 5) })),
  filter: strictObject({
    ...texts(60, ['label', 'hint', 'showing', 'none']),
    ...texts(30, ['clear', 'contact']),
    noneNext: text(),
  }),
  groups: listOf(
    strictObject({
      id: slug(),
      title: text(60),
      questions: listOf(
        strictObject({ id: slug(), question: text(160), answer: markdown({ min: 40, max: 90 }) }),
      ),
    }),
  ),
});
