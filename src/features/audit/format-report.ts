import { findCheckWords } from './audit-words.ts';
import type { CheckResult } from './check.ts';
import type { AuditReport } from './run-audit.ts';
import type { Audit } from './schemas/audit.ts';
import { isCutShort } from './terms.ts';

export function formatProgress(
  words: Audit,
  result: CheckResult,
  { done, total }: { done: number; total: number },
): string {
  const { title } = findCheckWords(words, result, '');
  return `${String(done).padStart(2)} of ${total}  ${title}: ${words.statuses[result.status]}`;
}

export function formatReport(words: Audit, report: AuditReport): string[] {
  const { domain, results, grade, score, caps, first, groups } = report;
  const why = isCutShort(report) ? words.report.limited : 'Nothing could be measured.';
  const grading = grade
    ? `Grade ${grade}, ${score} of 100 points.${caps.length > 0 ? '' : ` ${words.grades[grade].text}`}`
    : `No grade. ${why}`;
  const urgent = first.flatMap(id => results.filter(({ check }) => check === id));
  return [
    domain,
    grading,
    ...caps.flatMap(id => formatCap(words, id)),
    ...(urgent.length > 0 ? ['', `${words.report.first}:`] : []),
    ...urgent.flatMap(result => formatFix(words, result, domain)),
    ...groups.flatMap(({ group, score: points }) => [
      '',
      `${words.groups[group].title}${points === null ? '' : `, ${points} of 100 points`}`,
      ...results.filter(one => one.group === group).flatMap(result => formatResult(words, result, domain)),
    ]),
    '',
    words.report.limits,
  ];
}

function formatCap({ caps, report }: Audit, id: string): string[] {
  const { best = '', title = id, reason } = caps[id] ?? {};
  return [`${report.capped.replace('{grade}', best).replace('{title}', title)} ${reason}`];
}

const statusWidth = 16;

function formatResult(words: Audit, result: CheckResult, domain: string): string[] {
  const { title, text } = findCheckWords(words, result, domain);
  const status = words.statuses[result.status];
  const seen = result.status === 'passed' ? [] : result.evidence;
  return [
    `  ${status.padEnd(statusWidth)}${title}: ${text}`,
    ...seen.map(line => `  ${''.padEnd(statusWidth)}${line}`),
  ];
}

function formatFix(words: Audit, result: CheckResult, domain: string): string[] {
  const { title, text, fix, copy } = findCheckWords(words, result, domain);
  return [`  ${title}: ${text}`, ...[fix, copy].flatMap(line => (line ? [`    ${line}`] : []))];
}
