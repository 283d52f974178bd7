import * as v from 'valibot';
import {
  count,
  indexedPageMeta,
  listOf,
  pageHeader,
  strictObject,
  text,
  texts,
} from '../../../core/content/fields.ts';

/** Part of a link within the page. */
function findingId() {
  return v.pipe(text(20), v.regex(/^[\w.-]+$/, 'may contain letters, digits, hyphens and dots only'));
}

const finding = strictObject({
  id: findingId(),
  severity: text(20),
  score: text(4),
  vector: text(60),
  title: text(120),
  ...texts(80, ['asset', 'owner', 'due']),
  ...texts(400, ['evidence', 'impact', 'retest']),
  exchange: listOf(text(60), 1, 10),
  reproduce: listOf(text(120), 1, 6),
  fix: listOf(text(120), 1, 6),
});

export const sample = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  print: text(80),
  sheet: strictObject({ ...texts(40, ['label', 'report', 'link', 'page']), stamp: text(20), note: text(80) }),
  cover: strictObject({
    ...texts(60, ['title', 'client', 'scopeTitle']),
    summary: text(160),
    scope: listOf(strictObject({ term: text(30), text: text(160) }), 1, 10),
  }),
  exposure: strictObject({
    title: text(80),
    ...texts(40, ['week', 'open']),
    weeks: listOf(strictObject({ step: text(20), open: count(0, 999) }), 2, 12),
  }),
  finding: strictObject({
    heading: text(80),
    lead: text(),
    labels: strictObject({
      ...texts(30, ['finding', 'severity', 'score', 'asset', 'evidence', 'impact']),
      ...texts(30, ['reproduce', 'fix', 'owner', 'due', 'retest', 'status']),
    }),
    scale: listOf(text(20), 2, 6),
  }),
  findings: listOf(finding, 1, 4),
  summary: strictObject({
    ...texts(80, ['heading', 'title', 'plot', 'firstTitle', 'path', 'broken']),
    ...texts(400, ['lead', 'pathLead']),
    text: listOf(text(), 1, 4),
    first: listOf(text(120), 1, 6),
    steps: listOf(strictObject({ name: text(30), text: text(60), time: text(10) }), 2, 6),
    brokenStep: count(1, 6),
  }),
  incident: strictObject({
    ...texts(80, ['title', 'plot']),
    ...texts(400, ['lead', 'lesson']),
    ...texts(40, ['day', 'systems', 'done']),
    days: listOf(strictObject({ day: text(10), systems: count(0, 999), done: text(120) }), 2, 10),
  }),
  retest: strictObject({
    heading: text(80),
    lead: text(),
    ...texts(40, ['finding', 'severity', 'result', 'found', 'after', 'title']),
    note: text(120),
    counts: listOf(strictObject({ severity: text(20), found: count(0, 99), after: count(0, 99) }), 1, 6),
    findings: listOf(
      strictObject({
        id: findingId(),
        severity: text(20),
        title: text(80),
        result: text(40),
        isClosed: v.boolean(),
      }),
      1,
      20,
    ),
  }),
});

export type Sample = v.InferOutput<typeof sample>;
