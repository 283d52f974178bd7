import { dropPending } from '../../domain/subscribers/drop-pending.ts';
import type { Wired } from '../../server/wire.ts';
import { readLimit, readTime } from '../command.ts';
import { fail, note, print } from '../say.ts';
import { printTable } from '../table.ts';
import { askYes, canAsk } from '../terminal.ts';
import { type Call, count, refuse } from './call.ts';

type Counts = { signUps: number; subscribers: number };

/** Shows which networks sent requests that are not confirmed, asks once, and drops them. */
export async function dropPendingRequests(wired: Wired, { values }: Call): Promise<void> {
  const { subscribers } = wired.store;
  const limit = readLimit(values.limit);
  const filter = readFilter(values, wired.clock.now());
  const [networks, total] = await Promise.all([
    subscribers.listPendingNetworks(filter, limit),
    subscribers.countPending(filter),
  ]);
  if (!values.json) {
    printTable(
      ['network', 'waiting', 'unconfirmed', 'first', 'last'],
      networks.map(one => [
        idOf(one.network),
        ...[one.signUps, one.subscribers].map(String),
        ...[one.first, one.last],
      ]),
    );
    if (networks.length === limit)
      note(`Only the ${limit} networks with the most are shown; --limit shows more.`);
  }
  if (total.signUps + total.subscribers === 0) {
    if (values.json) return print({ networks: [], dropped: total });
    return note('No request that is not confirmed matches. Nothing was dropped.');
  }
  if (!values.yes && !(await isWanted(total))) return;
  const dropped = await dropPending({ subscribers }, filter);
  if (values.json)
    return print({ networks: networks.map(one => ({ ...one, network: idOf(one.network) })), dropped });
  note(`Dropped: ${describe(dropped)}, with the confirmation mails that had not left.`);
}

async function isWanted(total: Counts): Promise<boolean> {
  note(`${describe(total)}. Confirmed subscribers and imported addresses are not among them.`);
  if (!canAsk()) fail('Nothing was dropped: there is no terminal to ask at. Say --yes to drop them.');
  else if (await askYes('Drop them?')) return true;
  else fail('Nothing was dropped.');
  return false;
}

function describe({ signUps, subscribers }: Counts): string {
  return `${count(signUps, 'waiting request')} and ${count(subscribers, 'unconfirmed subscriber')}`;
}

/** Long enough to tell networks apart, short enough to be typed. */
const idLength = 'ipv6:'.length + 10;

function idOf(network: string): string {
  return network.slice(0, idLength);
}

/** Up to now unless said: what comes while requests are dropped was not shown. */
function readFilter({ since, until, network = '' }: Call['values'], now: Date) {
  if (network && !/^(ipv[46](:[\w-]{10,43})?|unknown)$/.test(network))
    refuse(`--network is '${network}', expected ipv4, ipv6, unknown or a network as it is listed.`);
  return {
    since: since === undefined ? '' : readTime('--since', since, now),
    until: until === undefined ? now.toISOString() : readTime('--until', until, now),
    network,
  };
}
