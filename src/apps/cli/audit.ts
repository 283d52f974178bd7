import { join } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { describeContentError } from '../../core/content/content-error.ts';
import { readContent } from '../../core/content/read-content.ts';
import { isWithin, parseDomain } from '../../core/network/parse-domain.ts';
import { formatProgress, formatReport } from '../../features/audit/format-report.ts';
import { getGrading } from '../../features/audit/get-grading.ts';
import { checks } from '../../features/audit/list-checks.ts';
import { createPublicNetwork } from '../../features/audit/requests/audit-network.ts';
import { type AuditReport, runAudit } from '../../features/audit/run-audit.ts';
import type { Audit } from '../../features/audit/schemas/audit.ts';
import { isCutShort } from '../../features/audit/terms.ts';
import type { Config } from '../server/config.ts';
import { createCommand, type Flags, runCommand, throwUsageError, withConfig } from './command.ts';
import { root } from './exit-on-error.ts';
import { exitWithError, printError, printJson, printNote } from './print.ts';
import { outputWidth, printLines } from './terminal.ts';

const about = `Looks at a domain as the free audit on the site does: public records and pages, no passwords and no attacks. \
It may look at your own domain. Nothing is stored. Exit code 1 if there is no grade.`;

await runCommand(
  createCommand('audit', about, 'example.com')
    .argument('<domain>', 'the domain, or the URL of a page on it')
    .option('--json', 'print JSON')
    .action(withConfig(auditDomain)),
);

async function auditDomain(config: Config, given: string, { json: isJson }: Flags<'json'>): Promise<void> {
  const domain =
    parseDomain(given) ?? throwUsageError(`'${given}' is not a public domain such as example.com.`);
  if (isWithin(domain, config.audit.deny))
    exitWithError(`${domain} is in AUDIT_DENY: its owner does not want to be audited.`);
  const words = readWords();
  const report = await measure(config, words, domain);
  if (isJson) printJson(report);
  else printLines(formatReport(words, report));
  if (report.grade === null)
    printError(
      isCutShort(report)
        ? 'some checks ended at our own limits'
        : `nothing could be measured: check the spelling of ${domain} and this machine's connection`,
    );
}

async function measure(config: Config, words: Audit, domain: string): Promise<AuditReport> {
  const { siteUrl, audit } = config;
  const deps = {
    checks,
    grading: getGrading(words),
    clock: systemClock,
    createNetwork: (signal: AbortSignal) =>
      createPublicNetwork({ ...audit, siteUrl, isForOwner: true }, signal),
    onUnexpectedError: (check: string, error: unknown) => printError(`${check} failed: ${error}`),
  };
  // In a pipe only the report and errors are wanted.
  const isWatched = outputWidth() !== undefined;
  let [total, done] = [0, 0];
  for await (const event of runAudit(deps, domain)) {
    if (event.type === 'started') total = event.checks.length;
    else if (event.type === 'report') return event.report;
    else if (isWatched) printNote(formatProgress(words, event.result, { done: ++done, total }));
  }
  throw new Error('the audit ended without a report');
}

function readWords(): Audit {
  const { content, errors } = readContent(join(root, 'content'));
  if (!content) exitWithError('content/ has validation errors:', ...errors.map(describeContentError));
  return content.audit;
}
