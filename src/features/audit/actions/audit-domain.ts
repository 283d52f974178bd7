import * as v from 'valibot';
import { actionsNeeding, field, type Progress, Refusal, UsageError } from '../../../core/action.ts';
import { systemClock } from '../../../core/clock.ts';
import { type ContentError, describeContentError } from '../../../core/content/content-error.ts';
import { isWithin, parseDomain } from '../../../core/network/parse-domain.ts';
import { formatProgress, formatReport } from '../format-report.ts';
import { getGrading } from '../get-grading.ts';
import { checks } from '../list-checks.ts';
import { createPublicNetwork, type NetworkSettings } from '../requests/audit-network.ts';
import { type AuditReport, runAudit } from '../run-audit.ts';
import type { Audit } from '../schemas/audit.ts';
import { isCutShort } from '../terms.ts';

type Needs = {
  config: { siteUrl: string | undefined; audit: Pick<NetworkSettings, 'resolvers' | 'deny'> };
  readContent(): { content?: { audit: Audit } | undefined; errors: readonly ContentError[] };
};

const defineAction = actionsNeeding<Needs>();

export const auditDomain = defineAction({
  name: 'audit',
  about: `Looks at a domain as the free audit on the site does: public records and pages, no passwords and no attacks. \
It may look at your own domain. Nothing is stored. Exit code 1 if there is no grade.`,
  examples: ['example.com'],
  opens: 'nothing',
  input: v.object({
    domain: field(
      '<domain>',
      'the domain, or the URL of a page on it',
      v.pipe(v.string(), v.transform(readDomain)),
    ),
  }),
  async run({ config, readContent }, { domain }, progress = () => undefined) {
    if (isWithin(domain, config.audit.deny))
      throw new Refusal(`${domain} is in AUDIT_DENY: its owner does not want to be audited.`);
    const { content, errors } = readContent();
    if (!content) throw new Refusal('content/ has validation errors:', errors.map(describeContentError));
    return { words: content.audit, report: await measure(config, content.audit, domain, progress) };
  },
  json: ({ report }) => report,
  print: ({ words, report }, { domain }) => [
    { lines: formatReport(words, report) },
    report.grade === null && {
      error: isCutShort(report)
        ? 'some checks ended at our own limits'
        : `nothing could be measured: check the spelling of ${domain} and this machine's connection`,
    },
  ],
});

function readDomain(given: string): string {
  const domain = parseDomain(given);
  if (!domain) throw new UsageError(`'${given}' is not a public domain such as example.com.`);
  return domain;
}

async function measure(
  { siteUrl, audit }: Needs['config'],
  words: Audit,
  domain: string,
  progress: Progress,
): Promise<AuditReport> {
  const deps = {
    checks,
    grading: getGrading(words),
    clock: systemClock,
    createNetwork: (signal: AbortSignal) =>
      createPublicNetwork({ ...audit, siteUrl, isForOwner: true }, signal),
    onUnexpectedError: (check: string, error: unknown) => progress({ error: `${check} failed: ${error}` }),
  };
  let [total, done] = [0, 0];
  for await (const event of runAudit(deps, domain)) {
    if (event.type === 'started') total = event.checks.length;
    else if (event.type === 'report') return event.report;
    else progress({ watched: formatProgress(words, event.result, { done: ++done, total }) });
  }
  throw new Error('the audit ended without a report');
}
