import { getLastRun } from '../../../core/database/recorded-runs.ts';
import { describeSender } from '../../../features/messages/desk/list-props.ts';
import { listDeliveries, listMessages } from '../../../features/messages/read-inbox.ts';
import { countIssue, countUnsent, findNewestIssue } from '../../../features/newsletter/read-issues.ts';
import { revealControls } from '../../../lib/control-characters.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { readLaunchFacts } from '../../build/read-launch-facts.ts';
import type { CheckReport } from '../../server/launch/run-checks.ts';
import type { Services } from '../../server/wire.ts';
import { countOpen, readLaunchChecks } from '../health/launch-checks.ts';

type Deps = { services: Services; root: string };

/** What leads the owner to something that waits. */
type Task = { title: string; text: string; link: string; path: string; isUrgent?: boolean };

/** What needs the owner now. It asks nothing outside this machine and its database. */
export async function readOverview(deps: Deps) {
  const { domainDeps } = deps.services;
  const { reports } = await readLaunchChecks(deps);
  const failed = (name: string) => reports.find(report => report.name === name && report.state === 'failed');
  const tasks = await Promise.all([
    describeQuarantine(domainDeps),
    describeReceivers(failed('Receivers')),
    describeFailedDeliveries(domainDeps),
    describeNewsletter(domainDeps),
    describeUnpublished(deps),
    failed('Backups') && describeBackup(deps),
    describeLaunch(reports),
  ]);
  return { messages: await readNewMessages(deps), tasks: tasks.filter(task => task !== undefined) };
}

const shownMessages = 3;
const startLength = 160;

async function readNewMessages({ services: { domainDeps, clock } }: Deps) {
  const page = await listMessages(domainDeps, { filter: { state: 'new' }, limit: shownMessages });
  if (!page || page.messages.length === 0) return null;
  return {
    total: count(page.total ?? page.messages.length, page.isTotalExact),
    newest: page.messages.map(({ reference, name, email, service, message, received_at }) => ({
      path: `/messages/${reference}`,
      name: describeSender({ name, email }),
      about: revealControls(service),
      start: revealControls(shorten(message)),
      received: formatMoment(received_at, clock.now()),
    })),
  };
}

function shorten(text: string): string {
  return text.length > startLength ? `${text.slice(0, startLength).toWellFormed()}…` : text;
}

async function describeQuarantine(domainDeps: Deps['services']['domainDeps']): Promise<Task | undefined> {
  const page = await listMessages(domainDeps, { filter: { state: 'quarantined' }, limit: 1 });
  if (!page?.total) return undefined;
  return {
    title: `${count(page.total, page.isTotalExact)} ${page.total === 1 ? 'message' : 'messages'} in quarantine`,
    text: 'They look like spam and were not delivered. A real one may be among them.',
    link: 'Look through them',
    path: '/messages?state=quarantined',
  };
}

function describeReceivers(report: CheckReport | undefined): Task | undefined {
  return (
    report && {
      title: 'A receiver does not work',
      text: 'What it should get is stored, and waits until it works again.',
      link: 'Open Receivers',
      path: '/health#receivers',
      isUrgent: true,
    }
  );
}

async function describeFailedDeliveries(
  domainDeps: Deps['services']['domainDeps'],
): Promise<Task | undefined> {
  const { total, isTotalExact } = await listDeliveries(domainDeps, { states: ['failed'], limit: 1 });
  if (total === 0) return undefined;
  return {
    title: total === 1 ? 'A delivery failed' : `${count(total, isTotalExact)} deliveries failed`,
    text: 'The messages are stored, but a receiver did not get them.',
    link: 'Open Receivers',
    path: '/health#receivers',
    isUrgent: true,
  };
}

async function describeNewsletter(domainDeps: Deps['services']['domainDeps']): Promise<Task | undefined> {
  const stopped = await findNewestIssue(domainDeps, 'held');
  const issue = stopped ?? (await findNewestIssue(domainDeps, 'unsent'));
  if (!issue) return undefined;
  const counts = await countIssue(domainDeps, issue.reference);
  const left = stopped ? counts.held : countUnsent(counts);
  return {
    title: stopped ? 'A newsletter issue is stopped' : 'A newsletter issue is being sent',
    text: `‘${issue.subject}’: ${count(left)} ${left === 1 ? 'subscriber has' : 'subscribers have'} not got it yet.`,
    link: 'Open the newsletter',
    path: '/newsletter',
  };
}

function describeUnpublished({ services, root }: Deps): Task | undefined {
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

async function describeBackup({ services: { domainDeps, clock } }: Deps): Promise<Task> {
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

function describeLaunch(reports: readonly CheckReport[]): Task | undefined {
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

function count(number: number, isExact = true): string {
  return `${isExact ? '' : 'more than '}${number.toLocaleString('en-GB')}`;
}
