import * as v from 'valibot';
import { count, group, listOf, slug, text } from '../fields.ts';
import { newsletterBox } from './forms.ts';
import { foundHead } from './heads.ts';

export const home = group({
  ...foundHead,
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
  offer: group({
    label: text(40),
    heading: text(80),
    learnMore: text(30),
    previous: text(40),
    next: text(40),
    slide: text(60),
    cards: listOf(slug(), 1, 12),
  }),
  counters: group({
    label: text(80),
    items: listOf(group({ value: count(0, 1_000_000), label: text(40), seconds: count(1, 60) }), 1, 6),
  }),
  newsletter: group({ heading: text(80), text: text(), ...newsletterBox }),
});

export const sample = group({
  label: text(40),
  heading: text(80),
  lead: text(),
  note: text(80),
  stamp: text(20),
  report: text(40),
  severity: text(30),
  scale: listOf(text(20), 2, 6),
  asset: text(30),
  evidence: text(30),
  impact: text(30),
  fix: text(30),
  retest: text(30),
  status: text(30),
  finding: group({
    id: text(20),
    title: text(120),
    severity: text(20),
    asset: text(80),
    evidence: text(),
    exchange: listOf(text(60), 1, 10),
    impact: text(),
    fix: listOf(text(120), 1, 6),
    retest: text(),
  }),
});
