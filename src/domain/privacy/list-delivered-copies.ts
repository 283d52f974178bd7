import type { Privacy } from '../../store/privacy.ts';
import { listRemoteReceivers, type PersonalData, type RemoteReceiver } from './search-personal-data.ts';

/** Copies of their messages, and of messages that mention them, which receivers outside this machine hold. */
export async function listDeliveredCopies(
  { privacy }: { privacy: Pick<Privacy, 'listDeliveries'> },
  { deliveries, mentions }: Pick<PersonalData, 'deliveries' | 'mentions'>,
  receivers: { places: ReadonlyMap<string, string>; inside: ReadonlySet<string> },
): Promise<RemoteReceiver[]> {
  const others = await privacy.listDeliveries(mentions.map(({ reference }) => reference));
  return listRemoteReceivers([...deliveries, ...others], receivers);
}
