import { getLastRun } from '../../../core/database/recorded-runs.ts';
import type { OverviewTask, Waiting } from '../../../core/desk/desk-area.ts';
import type { DeskContext } from '../../../core/desk/desk-deps.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { readLaunchFacts } from '../../build/read-launch-facts.ts';
import type { CheckReport } from '../../server/launch/run-checks.ts';
import type { Services } from '../../server/wire.ts';
import type { Areas } from '../areas.ts';
import { countOpen, readLaunchChecks } from '../health/launch-checks.ts';

type Deps = { services: Services; root: string };

export type OverviewProps = { waiting: Waiting[]; tasks: OverviewTask[] };

/** What needs the owner now. It asks nothing outside this machine and its database. */
export async function readOverview(deps: DeskContext<Services>, areas: Areas): Promise<OverviewProps> {
  const { reports } = await readLaunchChecks(deps);
  const isFailing = (name: string) =>
    reports.some(report => report.name === name && report.state === 'failed');
  const on = areas.listOn();
  const waiting = await Promise.all(on.map(area => area.readWaiting?.(deps)));
  const tasks = await Promise.all(on.map(area => area.listTasks?.(deps, isFailing)));
  const whenOff = await Promise.all(areas.listOff().map(area => area.describeWhenOff?.(deps)));
  const ownTasks = [
    describeUnpublished(deps),
    isFailing('Backups') ? await describeBackup(deps) : undefined,
    describeLaunch(reports),
  ];
  return {
    waiting: waiting.filter(section => section !== undefined),
    tasks: [...tasks.flat(), ...whenOff, ...ownTasks].filter(task => task !== undefined),
  };
}

function describeUnpublished({ services, root }: Deps): OverviewTask | undefined {
  const { builtAt, outdatedReason } = readLaunchFacts(root, services.config);
  if (!outdatedReason) return undefined;
  return {
    title: builtAt ? 'Changes are not published' : 'The site is not published yet',
    text: builtAt
      ? `Visitors see the site of ${formatMoment(builtAt.toISOString(), services.clock.now()).text}.`
      : 'Visitors see nothing until it is.',
    link: 'Publish',
    path: '/words/publish',
  };
}

async function describeBackup({ services: { domainDeps, clock } }: Deps): Promise<OverviewTask> {
  const last = await getLastRun(domainDeps, 'backup');
  return {
    title: last ? 'The last backup is old' : 'There is no backup',
    text: last
      ? `It is of ${formatMoment(last, clock.now()).text}. What came since is lost if the disk fails.`
      : 'If the disk fails, all messages are lost.',
    link: 'Make one',
    path: '/health#backups',
    isUrgent: !last,
  };
}

function describeLaunch(reports: readonly CheckReport[]): OverviewTask | undefined {
  const { required } = countOpen(reports);
  if (required === 0) return undefined;
  const names = reports.filter(({ state, level }) => state === 'failed' && level === 'required');
  const shown = names.slice(0, 4).map(({ name }) => name);
  const more = required - shown.length;
  return {
    title: `${required} required ${required === 1 ? 'point' : 'points'} of the launch checklist`,
    text: `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    link: 'Open the checklist',
    path: '/health/launch',
  };
}
