import { checkLaunch, countFailed, runLaunchChecks } from '../../actions/check-launch.ts';
import type { CheckReport } from '../../server/launch/run-checks.ts';
import type { Services } from '../../server/wire.ts';

export type Deps = { services: Services; root: string };

/** Of each desk that runs, the checks that connected to the owner's own site and asked for its DNS records. */
const lastOnline = new WeakMap<Services, { at: string; reports: CheckReport[] }>();

/** Those of this machine as they are now, and those of the live site as they were when the owner last asked. */
export async function readLaunchChecks(deps: Deps): Promise<{ reports: CheckReport[]; onlineAt?: string }> {
  const reports = await runLaunchChecks(getNeeds(deps), { isOffline: true });
  const online = lastOnline.get(deps.services);
  if (!online) return { reports };
  const known = new Set(reports.map(({ name }) => name));
  return {
    reports: [...reports, ...online.reports.filter(({ name }) => !known.has(name))],
    onlineAt: online.at,
  };
}

export async function runOnlineChecks(deps: Deps): Promise<void> {
  const reports = await checkLaunch.run(getNeeds(deps), {});
  lastOnline.set(deps.services, { at: deps.services.clock.now().toISOString(), reports });
}

function getNeeds({ services, root }: Deps) {
  const { config, clock } = services;
  return { config, clock, root, site: services };
}

export function countOpen(reports: readonly CheckReport[]) {
  return { required: countFailed(reports, 'required'), recommended: countFailed(reports, 'recommended') };
}

/** `advice`: what to do elsewhere; null where the place is a page of the desk. */
export function describeLine({ name, level, state, detail, advice, reason, place }: CheckReport) {
  const isHere = place.path !== undefined && !place.path.startsWith('/health/settings/');
  return { name, level, state, detail, advice: isHere ? null : (advice ?? null), reason, place };
}
