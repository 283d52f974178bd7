import { dropPending } from '../../domain/newsletter/drop-pending.ts';
import type { Wired } from '../../server/wire.ts';
import { confirm, type Flags, type TextOptions, throwUsageError } from '../command.ts';
import { formatCount, printJson, printNote } from '../print.ts';
import { printTable } from '../table.ts';

type Values = TextOptions<'since' | 'until' | 'network'> & Flags<'yes' | 'json'> & { limit: number };
type Counts = { signUps: number; subscribers: number };

export async function dropPendingRequests(wired: Wired, values: Values): Promise<void> {
  const { signUps, subscribers } = wired.store;
  const { limit } = values;
  const filter = readFilter(values, wired.clock.now());
  const [networks, total] = await Promise.all([
    signUps.listPendingNetworks(filter, limit),
    signUps.countPending(filter),
  ]);
  if (!values.json) {
    printTable(
      networks.map(({ network, signUps, subscribers: unconfirmed, first, last }) => ({
        ...{ network: shortenNetworkId(network), waiting: signUps, unconfirmed, first, last },
      })),
    );
    if (networks.length === limit)
      printNote(`Only the ${limit} networks with the most are shown; --limit shows more.`);
  }
  if (total.signUps + total.subscribers === 0) {
    if (values.json) return printJson({ networks: [], dropped: total });
    return printNote('No request that is not confirmed matches. Nothing was dropped.');
  }
  if (!values.yes)
    printNote(`${describe(total)}. Confirmed subscribers and imported addresses are not among them.`);
  if (!(await confirm('Drop them?', values, 'Nothing was dropped'))) return;
  const dropped = await dropPending({ subscribers }, filter);
  if (values.json)
    return printJson({
      networks: networks.map(one => ({ ...one, network: shortenNetworkId(one.network) })),
      dropped,
    });
  printNote(`Dropped: ${describe(dropped)}, with the confirmation mails that had not left.`);
}

function describe({ signUps, subscribers }: Counts): string {
  return `${formatCount(signUps, 'waiting request')} and ${formatCount(subscribers, 'unconfirmed subscriber')}`;
}

const idLength = 'ipv6:'.length + 10;

function shortenNetworkId(network: string): string {
  return network.slice(0, idLength);
}

/** Ends now by default: later requests were not shown. */
function readFilter({ since = '', until, network = '' }: Values, now: Date) {
  if (network && !/^(ipv[46](:[\w-]{10,43})?|unknown)$/.test(network))
    throwUsageError(`--network is '${network}', expected ipv4, ipv6, unknown or a network as it is listed.`);
  return { since, until: until ?? now.toISOString(), network };
}
