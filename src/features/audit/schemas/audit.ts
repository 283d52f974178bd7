import * as v from 'valibot';
import {
  count,
  entries,
  indexedPageMeta,
  listOf,
  pageHeader,
  slug,
  strictObject,
  text,
  texts,
  webAddress,
} from '../../../core/content/fields.ts';
import { auditGrades, checkGroups, checkStatuses } from '../terms.ts';

const finding = strictObject({
  text: text(300),
  fix: v.optional(text(500)),
  copy: v.optional(text(500)),
});

const check = strictObject({
  title: text(50),
  weight: count(0, 10),
  reason: text(300),
  why: text(300),
  standard: strictObject({ label: text(80), url: webAddress() }),
  findings: v.record(slug(), finding),
});

const group = strictObject({ title: text(30), text: text(), checks: v.record(slug(), check) });

const grade = strictObject({ from: count(0, 100), text: text(200) });

const cap = strictObject({ best: v.picklist(auditGrades), title: text(60), reason: text(300) });

/** A finding by the check; the build grades them as an audit would. */
const sample = strictObject({
  domain: text(60),
  measuredAt: text(40),
  findings: v.record(
    slug(),
    strictObject({
      finding: slug(),
      values: v.optional(v.record(v.string(), text(200))),
      evidence: v.optional(listOf(text(300))),
    }),
  ),
});

/** Filled in from what was measured, in the words of a finding and around it. */
export const auditPlaceholders = [
  ...['domain', 'time', 'age', 'grade', 'score', 'number', 'total', 'ahead', 'seconds', 'when'],
  ...['first', 'title', 'text'],
  ...['server', 'servers', 'count', 'network', 'zone', 'issuers', 'date', 'days', 'tried', 'name', 'target'],
  ...['url', 'host', 'issuer', 'until', 'expires', 'offered', 'cookies', 'software'],
  ...['term', 'selector', 'policy', 'alignment', 'percent', 'receiver', 'receivers', 'protocol'],
];

export const audit = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  form: strictObject({ ...texts(60, ['label', 'placeholder', 'button']), allowed: text(300) }),
  statement: text(300),
  about: text(60),
  progress: strictObject({
    ...texts(100, ['heading', 'running', 'counted', 'half', 'opening', 'open', 'again']),
    ...texts(400, ['wait', 'lost']),
  }),
  failures: strictObject({
    ...texts(60, ['heading', 'later', 'nextHour']),
    ...texts(400, ['invalid-domain', 'not-offered', 'too-many', 'checked-recently', 'busy', 'off']),
    ...texts(400, ['no-answer', 'unexpected']),
  }),
  deleted: strictObject({ heading: text(60), text: text() }),
  checked: strictObject({ heading: text(60), lead: text() }),
  example: strictObject({ ...texts(80, ['label', 'heading', 'link', 'stamp']), lead: text() }),
  report: strictObject({
    title: text(55),
    description: text(160),
    ...texts(80, ['label', 'measured', 'sample', 'graded', 'ungraded', 'score', 'group', 'points', 'found']),
    ...texts(80, ['noPoints', 'groupPoints', 'print', 'first', 'nothing', 'jump', 'evidence', 'why', 'fix']),
    ...texts(80, ['copy', 'copied', 'standard', 'weightsHeading', 'check', 'weight', 'reason', 'tryOwn']),
    ages: strictObject(texts(30, ['minutes', 'hours', 'days'])),
    ...texts(400, ['age', 'firstLead', 'nothingText', 'notMeasurable', 'limits', 'weightsText', 'capsText']),
    ...texts(400, ['limited', 'limitedCheck']),
    ...texts(80, ['capped', 'best', 'fault']),
  }),
  send: strictObject({
    ...texts(60, ['heading', 'name', 'email', 'message', 'button']),
    ...texts(400, ['lead', 'hint']),
    template: text(1000),
    finding: text(100),
  }),
  link: strictObject({ ...texts(60, ['heading', 'delete']), text: text(), deleteText: text() }),
  statuses: strictObject(texts(30, checkStatuses)),
  grades: strictObject(entries(auditGrades, grade)),
  caps: v.record(slug(), cap),
  groups: strictObject(entries(checkGroups, group)),
  sample,
});

export type Audit = v.InferOutput<typeof audit>;

type SampleSummary = {
  domain: string;
  grade: keyof Audit['grades'] | null;
  score: number | null;
  groups: { group: keyof Audit['groups']; score: number | null }[];
  first: string[];
};

/** What the page with the form shows: without the words of findings, which only the server needs. */
export function selectAuditPage(content: Audit, sample: SampleSummary, isOff: boolean) {
  const { groups, sample: _, report, send, link, grades, caps, ...page } = content;
  const { domain, grade, score } = sample;
  const checks = Object.values(groups).flatMap(({ checks }) => Object.entries(checks));
  return {
    ...page,
    isOff,
    groups: Object.entries(groups).map(([id, { title, text, checks }]) => ({
      id: id as keyof typeof groups,
      title,
      text,
      checks: Object.entries(checks).map(([id, { title }]) => ({ id, title })),
    })),
    sample: {
      domain,
      grade,
      score,
      groups: sample.groups,
      first: sample.first.map(id => checks.find(([check]) => check === id)?.[1].title ?? id),
    },
    labels: { graded: report.graded, first: report.first, group: report.group, points: report.points },
  };
}

export type AuditPage = ReturnType<typeof selectAuditPage>;
