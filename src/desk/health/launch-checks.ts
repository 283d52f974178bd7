import { readLaunchFacts } from '../../build/read-launch-facts.ts';
import { allChecks, type CheckReport, offlineChecks, runChecks } from '../../server/launch/run-checks.ts';
import { createOwnerNetwork } from '../../server/owner-network.ts';
import type { DeskDeps } from '../desk-deps.ts';
import type { OpenChecks } from './props.ts';

/** `isOnline`: also those that connect to the owner's own site and ask for its DNS records. */
export function runLaunchChecks(
  { services, root }: Pick<DeskDeps, 'services' | 'root'>,
  { isOnline }: { isOnline: boolean },
): Promise<CheckReport[]> {
  const { config, clock } = services;
  const context = {
    ...{ config, site: services, now: clock.now() },
    network: createOwnerNetwork({ siteUrl: config.siteUrl }),
    ...readLaunchFacts(root, config),
  };
  return runChecks(context, isOnline ? allChecks : offlineChecks);
}

export function countOpen(reports: readonly CheckReport[]): OpenChecks {
  const count = (level: string) =>
    reports.filter(report => report.state === 'failed' && report.level === level).length;
  return { required: count('required'), recommended: count('recommended') };
}
