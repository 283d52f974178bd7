import {
  deletePendingSubscribers,
  listPendingRequests,
} from '../../domain/newsletter/delete-pending-subscribers.ts';
import type { Services } from '../../server/wire.ts';
import { confirm, type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { formatCount, printJson, printNote, printTable } from '../print.ts';

type Values = TextOptions<'since' | 'until' | 'network'> & Flags<'yes' | 'json'> & { limit: number };

export async function dropPendingRequests({ domainDeps, clock }: Services, values: Values): Promise<void> {
  const { limit } = values;
  const filter = parseFilter(values, clock.now());
  const { networks, total } = await listPendingRequests(domainDeps, { ...filter, limit });
  if (!values.json) {
    printTable(
      networks.map(({ network, signUps, subscribers, first, last }) => ({
        network: shortenNetworkId(network),
        'sign-ups': signUps,
        'pending subscribers': subscribers,
        first,
        last,
      })),
    );
    if (networks.length === limit)
      printNote(`Showing the ${limit} networks with the most requests; --limit shows more.`);
  }
  if (total.signUps + total.subscribers === 0) {
    if (values.json) return printJson({ networks: [], dropped: total });
    return printNote('No pending requests found. Nothing was deleted.');
  }
  if (!values.yes)
    printNote(`${describePending(total)}. Confirmed subscribers and imported addresses are not included.`);
  if (!(await confirm('Delete them?', values, 'Nothing was deleted'))) return;
  const dropped = await deletePendingSubscribers(domainDeps, filter);
  if (values.json)
    return printJson({
      networks: networks.map(one => ({ ...one, network: shortenNetworkId(one.network) })),
      dropped,
    });
  printNote(`Deleted: ${describePending(dropped)}, with their unsent confirmation mails`);
}

function describePending({ signUps, subscribers }: { signUps: number; subscribers: number }): string {
  return `${formatCount(signUps, 'waiting sign-up')} and ${formatCount(subscribers, 'pending subscriber')}`;
}

const idLength = 'ipv6:'.length + 10;

function shortenNetworkId(network: string): string {
  return network.slice(0, idLength);
}

function parseFilter({ since = '', until, network = '' }: Values, now: Date) {
  if (network && !/^(ipv[46](:[\w-]{10,43})?|unknown)$/.test(network))
    throwUsageError(`--network is '${network}', expected ipv4, ipv6, unknown or a network from the list`);
  return { since, until: until ?? now.toISOString(), network };
}
