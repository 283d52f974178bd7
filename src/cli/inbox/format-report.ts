import { checkStatuses } from '../../audit/terms.ts';
import type { StoredReport } from '../../domain/audits/request-audit.ts';
import { replaceControls } from '../../lib/control-characters.ts';
import { readCheckTitles } from '../../server/audit-content.ts';
import { contentFolder } from '../../server/mail-texts.ts';

const statusWidth = Math.max(...checkStatuses.map(({ length }) => length));

/** What a message's audit found, with the checks that did not pass. */
export function formatReport(reference: string, report: StoredReport | undefined): string[] {
  if (!report)
    return ['Audit report', '  Erased: a report is kept for 30 days, or until the visitor deletes it'];
  const { domain, grade, score, caps, measuredAt, first, results } = report;
  const titles = readCheckTitles(contentFolder);
  const title = (check: string) => titles[check] ?? check;
  const graded =
    grade === null
      ? 'no grade, because some checks ended early'
      : [`grade ${grade}, ${score} of 100 points`, ...caps.map(title)].join('; ');
  const open = results.filter(({ status }) => status !== 'passed');
  const time = measuredAt.slice(0, 16).replace('T', ' ');
  return [
    'Audit report',
    `  ${replaceControls(domain)}: ${graded}, measured ${time} UTC`,
    ...(first.length > 0 ? [`  To do first: ${first.map(title).join(', ')}`] : []),
    ...open.map(({ check, status }) => `  ${status.padEnd(statusWidth)}  ${title(check)}`),
    `  ${results.length - open.length} of ${results.length} checks passed; with their evidence: npm run inbox -- show ${reference} --json`,
  ];
}
