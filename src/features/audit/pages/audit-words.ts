import { audit } from 'content:audit';
import type { AuditReport, AuditResult } from '../contract.ts';
import { limitFinding } from '../terms.ts';

const checks = Object.assign({}, ...Object.values(audit.groups).map(group => group.checks)) as Record<
  string,
  (typeof audit)['groups']['web']['checks'][string]
>;

export type CheckWords = {
  title: string;
  why?: string | undefined;
  standard?: { label: string; url: string } | undefined;
  text: string;
  fix?: string | undefined;
  copy?: string | undefined;
};

/** A report may be older than the words: a check or finding that has none any more is still shown. */
export function findWords(result: AuditResult, domain: string): CheckWords {
  const { title = result.check, why, standard, findings = {} } = checks[result.check] ?? {};
  const { text, fix, copy } = findings[result.finding] ?? {
    text: result.finding === limitFinding ? audit.report.limitedCheck : audit.report.notMeasurable,
  };
  const values = { domain, ...result.values };
  return {
    title,
    why,
    standard,
    text: fillValues(text, values),
    fix: fix && fillValues(fix, values),
    copy: copy && fillValues(copy, values),
  };
}

export function findTitle(check: string): string {
  return checks[check]?.title ?? check;
}

export function fillValues(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => formatDay(String(values[name] ?? whole)));
}

/** 2027-01-20 as 20 January 2027, and every other value as it is. */
function formatDay(value: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return value;
  return new Date(value).toLocaleDateString('en-GB', { timeZone: 'UTC', dateStyle: 'long' });
}

/** 18 November 2026, 01:02 UTC. */
export function formatTime(iso: string): string {
  return `${new Date(iso).toLocaleString('en-GB', { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })} UTC`;
}

/** 12 minutes, 3 hours or 5 days. */
export function formatAge(seconds: number): string {
  const { minutes, hours, days } = audit.report.ages;
  const [text, size] = seconds < 7200 ? [minutes, 60] : seconds < 172_800 ? [hours, 3600] : [days, 86_400];
  return fillValues(text, { number: Math.floor(seconds / size) });
}

/** The three checks to act on first, with their words. */
export function listFirst({ first, results, domain }: AuditReport) {
  return first.flatMap(id => {
    const result = results.find(({ check }) => check === id);
    return result ? [{ id, status: result.status, words: findWords(result, domain) }] : [];
  });
}
