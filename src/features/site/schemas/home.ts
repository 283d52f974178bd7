import * as v from 'valibot';
import {
  count,
  indexedPageMeta,
  listOf,
  newsletterFormTexts,
  slug,
  strictObject,
  text,
  texts,
} from '../../../core/content/fields.ts';

export const home = strictObject({
  ...indexedPageMeta,
  hero: strictObject({ label: text(80), heading: text(80), lead: text(), cta: text(50) }),
  intro: strictObject({
    label: text(40),
    heading: text(80),
    points: listOf(
      strictObject({
        title: text(60),
        text: text(),
        steps: v.optional(listOf(strictObject({ name: text(30), text: text() }), 2, 8)),
      }),
      1,
      6,
    ),
  }),
  offer: strictObject({
    heading: text(80),
    ...texts(40, ['label', 'previous', 'next']),
    learnMore: text(30),
    slide: text(60),
    cards: listOf(slug(), 1, 12),
  }),
  counters: strictObject({
    label: text(80),
    items: listOf(strictObject({ value: count(0, 1_000_000), label: text(40), seconds: count(1, 60) }), 1, 6),
  }),
  newsletter: strictObject({ heading: text(80), text: text(), ...newsletterFormTexts }),
});
