import type { CheckResult, LaunchCheck, Level } from '../../../core/launch/check.ts';
import { features } from '../../../features.ts';
import { publishedChecks } from './checks/build.ts';
import { contentChecks } from './checks/content.ts';
import { dataChecks } from './checks/data.ts';
import { settingChecks } from './checks/settings.ts';
import { onlineChecks } from './checks/site-online.ts';
import type { CheckContext } from './context.ts';

type Check = LaunchCheck<CheckContext>;

const ownChecks: readonly Check[] = [
  ...contentChecks,
  ...settingChecks,
  ...publishedChecks,
  ...dataChecks,
  ...onlineChecks,
];

/** In the order of the checklist: a feature's checks stand below those that they name. `isOn`: of features, by name. */
export async function loadChecks(isOn: (name: string) => boolean = () => true): Promise<readonly Check[]> {
  const shown = features.filter(({ name }) => isOn(name));
  const added = await Promise.all(shown.map(feature => feature.checks?.() ?? []));
  const checks = [...ownChecks];
  for (const check of added.flat()) {
    const at = checks.findIndex(({ name }) => name === check.after);
    checks.splice(at < 0 ? checks.length : at + 1, 0, check);
  }
  return checks;
}

export type CheckReport = Pick<Check, 'name' | 'reason' | 'place'> & CheckResult & { level: Level };

export function runChecks(context: CheckContext, checks: readonly Check[]): Promise<CheckReport[]> {
  const isStatic = context.config.contactEndpoint !== undefined;
  return Promise.all(
    checks
      .filter(({ needsServer }) => !(needsServer && isStatic))
      .map(async check => {
        const { name, level, reason, place } = check;
        return { name, level, reason, place, ...(await runCheck(check, context)) };
      }),
  );
}

async function runCheck(check: Check, context: CheckContext): Promise<CheckResult> {
  try {
    return await check.run(context);
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
