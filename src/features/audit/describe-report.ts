import type { ContextSummary } from '../../core/message-context.ts';
import { readCheckTitles } from './audit-content.ts';
import type { StoredReport } from './requests/request-audit.ts';
import type { CheckStatus } from './terms.ts';

const statuses: Record<CheckStatus, string> = {
  passed: 'Passed',
  attention: 'Needs attention',
  missing: 'Missing',
  failed: 'Failed',
  'not-measurable': 'Not measurable',
};

/** What a message's audit found, with the checks that did not pass. */
export function describeReport(report: StoredReport, content: string): ContextSummary {
  const { domain, measuredAt, grade, score, caps, first, results } = report;
  const titles = readCheckTitles(content);
  const title = (check: string) => titles[check] ?? check;
  const open = results.filter(({ status }) => status !== 'passed');
  return {
    ...{ domain, measuredAt },
    graded:
      grade === null
        ? 'No grade, because some checks ended early'
        : [`Grade ${grade}, ${score} of 100 points`, ...caps.map(title)].join('; '),
    first: first.map(title),
    open: open.map(({ check, status }) => ({ title: title(check), status: statuses[status] })),
    passed: `${results.length - open.length} of ${results.length} checks passed`,
  };
}
