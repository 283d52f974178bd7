import type { Check, CheckContext, CheckResult, Level } from './check.ts';
import { postChecks, publishedChecks, securityTxtChecks } from './checks/build.ts';
import { companyChecks } from './checks/company.ts';
import { dataChecks } from './checks/data.ts';
import { mailNameChecks, siteNameChecks } from './checks/domain-names.ts';
import { exampleChecks } from './checks/examples.ts';
import { settingChecks } from './checks/settings.ts';

/** They connect to nothing but the database. */
export const offlineChecks: readonly Check[] = [
  ...companyChecks,
  ...exampleChecks,
  ...settingChecks,
  ...publishedChecks,
  ...securityTxtChecks,
  ...postChecks,
  ...dataChecks,
];

export const allChecks: readonly Check[] = [...offlineChecks, ...siteNameChecks, ...mailNameChecks];

export type CheckReport = Pick<Check, 'name' | 'reason'> & CheckResult & { level: Level };

export function runChecks(
  context: CheckContext,
  checks: readonly Check[] = allChecks,
): Promise<CheckReport[]> {
  const isStatic = context.config.contactEndpoint !== undefined;
  return Promise.all(
    checks
      .filter(({ needsServer }) => !(needsServer && isStatic))
      .map(async ({ name, level, reason, run }) => ({
        name,
        level,
        reason,
        ...(await runCheck(run, context)),
      })),
  );
}

async function runCheck(run: Check['run'], context: CheckContext): Promise<CheckResult> {
  try {
    return await run(context);
  } catch (error) {
    return { state: 'not checked', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** The order in which the owner reads them: what is missing first. */
export function sortReports(reports: readonly CheckReport[]): CheckReport[] {
  return reports.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ state, level }: CheckReport): number {
  if (state === 'ready') return 3;
  if (state === 'not checked') return 2;
  return level === 'required' ? 0 : 1;
}
