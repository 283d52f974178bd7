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
} from '../fields.ts';

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
  exposure: strictObject({
    title: text(80),
    ...texts(40, ['week', 'open']),
    weeks: listOf(strictObject({ step: text(20), open: count(0, 999) }), 2, 12),
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

export const sample = strictObject({
  sheet: strictObject({ ...texts(40, ['label', 'report']), stamp: text(20), note: text(80) }),
  finding: strictObject({
    heading: text(80),
    lead: text(),
    labels: strictObject(texts(30, ['severity', 'asset', 'evidence', 'impact', 'fix', 'retest', 'status'])),
    scale: listOf(text(20), 2, 6),
    ...texts(20, ['id', 'severity']),
    title: text(120),
    asset: text(80),
    ...texts(400, ['evidence', 'impact', 'retest']),
    exchange: listOf(text(60), 1, 10),
    fix: listOf(text(120), 1, 6),
  }),
  summary: strictObject({
    ...texts(80, ['heading', 'title', 'path', 'broken']),
    lead: text(),
    text: listOf(text(), 1, 4),
    steps: listOf(strictObject({ name: text(30), text: text(60) }), 2, 6),
  }),
  retest: strictObject({
    heading: text(80),
    lead: text(),
    ...texts(40, ['severity', 'found', 'after', 'title']),
    counts: listOf(strictObject({ severity: text(20), found: count(0, 99), after: count(0, 99) }), 1, 6),
    findings: listOf(
      strictObject({ id: text(20), title: text(80), result: text(40), isClosed: v.boolean() }),
      1,
      10,
    ),
  }),
});
