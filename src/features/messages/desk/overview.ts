import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import type { OverviewTask, Waiting } from '../../../core/desk/desk-area.ts';
import { revealControls } from '../../../lib/control-characters.ts';
import { formatNumber } from '../../../lib/format-number.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { listDeliveries, listMessages } from '../read-inbox.ts';
import { describeSender } from './list-props.ts';

type Deps = DepsOf<typeof listMessages | typeof listDeliveries>;
export type OverviewNeeds = { domainDeps: Deps; clock: Clock };

const shownMessages = 3;
const startLength = 160;

export async function readNewMessages({ domainDeps, clock }: OverviewNeeds): Promise<Waiting> {
  const page = await listMessages(domainDeps, { filter: { state: 'new' }, limit: shownMessages });
  const messages = page?.messages ?? [];
  const total = count(page?.total ?? messages.length, page?.isTotalExact);
  const isAny = messages.length > 0;
  return {
    id: 'messages',
    title: isAny ? `New messages: ${total}` : 'New messages',
    link: isAny ? { text: 'Open all', path: '/messages?state=new' } : null,
    newest: messages.map(({ reference, name, email, service, message, received_at }) => ({
      path: `/messages/${reference}`,
      name: describeSender({ name, email }),
      about: revealControls(service),
      start: revealControls(shorten(message)),
      received: formatMoment(received_at, clock.now()),
    })),
    none: 'No message waits for an answer.',
  };
}

function shorten(text: string): string {
  return text.length > startLength ? `${text.slice(0, startLength).toWellFormed()}…` : text;
}

export async function listMessageTasks(
  { domainDeps }: { domainDeps: Deps },
  isFailing: (check: string) => boolean,
): Promise<(OverviewTask | undefined)[]> {
  return [
    await describeQuarantine(domainDeps),
    isFailing('Receivers') ? brokenReceiver : undefined,
    await describeFailedDeliveries(domainDeps),
  ];
}

const brokenReceiver: OverviewTask = {
  title: 'A receiver does not work',
  text: 'What it should get is stored, and waits until it works again.',
  link: 'Open Receivers',
  path: '/health#receivers',
  isUrgent: true,
};

async function describeQuarantine(deps: Deps): Promise<OverviewTask | undefined> {
  const page = await listMessages(deps, { filter: { state: 'quarantined' }, limit: 1 });
  if (!page?.total) return undefined;
  return {
    title: `${count(page.total, page.isTotalExact)} ${page.total === 1 ? 'message' : 'messages'} in quarantine`,
    text: 'They look like spam and were not delivered. A real one may be among them.',
    link: 'Look through them',
    path: '/messages?state=quarantined',
  };
}

async function describeFailedDeliveries(deps: Deps): Promise<OverviewTask | undefined> {
  const { total, isTotalExact } = await listDeliveries(deps, { states: ['failed'], limit: 1 });
  if (total === 0) return undefined;
  return {
    title: total === 1 ? 'A delivery failed' : `${count(total, isTotalExact)} deliveries failed`,
    text: 'The messages are stored, but a receiver did not get them.',
    link: 'Open Receivers',
    path: '/health#receivers',
    isUrgent: true,
  };
}

function count(number: number, isExact = true): string {
  return `${isExact ? '' : 'more than '}${formatNumber(number)}`;
}
