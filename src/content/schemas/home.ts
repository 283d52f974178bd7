import * as v from 'valibot';
import { count, group, indexedPageMeta, listOf, newsletterFormTexts, slug, text, texts } from '../fields.ts';

export const home = group({
  ...indexedPageMeta,
  hero: group({ label: text(80), heading: text(80), lead: text(), cta: text(50) }),
  intro: group({
    label: text(40),
    heading: text(80),
    points: listOf(
      group({
        title: text(60),
        text: text(),
        steps: v.optional(listOf(group({ name: text(30), text: text() }), 2, 8)),
      }),
      1,
      6,
    ),
  }),
  exposure: group({
    title: text(80),
    ...texts(40, ['week', 'open']),
    weeks: listOf(group({ step: text(20), open: count(0, 999) }), 2, 12),
  }),
  offer: group({
    heading: text(80),
    ...texts(40, ['label', 'previous', 'next']),
    learnMore: text(30),
    slide: text(60),
    cards: listOf(slug(), 1, 12),
  }),
  counters: group({
    label: text(80),
    items: listOf(group({ value: count(0, 1_000_000), label: text(40), seconds: count(1, 60) }), 1, 6),
  }),
  newsletter: group({ heading: text(80), text: text(), ...newsletterFormTexts }),
});

export const sample = group({
  sheet: group({ ...texts(40, ['label', 'report']), stamp: text(20), note: text(80) }),
  finding: group({
    heading: text(80),
    lead: text(),
    labels: group(texts(30, ['severity', 'asset', 'evidence', 'impact', 'fix', 'retest', 'status'])),
    scale: listOf(text(20), 2, 6),
    ...texts(20, ['id', 'severity']),
    title: text(120),
    asset: text(80),
    ...texts(400, ['evidence', 'impact', 'retest']),
    exchange: listOf(text(60), 1, 10),
    fix: listOf(text(120), 1, 6),
  }),
  summary: group({
    ...texts(80, ['heading', 'title', 'path', 'broken']),
    lead: text(),
    text: listOf(text(), 1, 4),
    steps: listOf(group({ name: text(30), text: text(60) }), 2, 6),
  }),
  retest: group({
    heading: text(80),
    lead: text(),
    ...texts(40, ['severity', 'found', 'after', 'title']),
    counts: listOf(group({ severity: text(20), found: count(0, 99), after: count(0, 99) }), 1, 6),
    findings: listOf(
      group({ id: text(20), title: text(80), result: text(40), isClosed: v.boolean() }),
      1,
      10,
    ),
  }),
});
