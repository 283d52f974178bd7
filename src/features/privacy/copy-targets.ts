import type { Receiver } from '../../core/outbox/delivery.ts';
import { receiverTypes } from '../messages/receivers/receiver-types.ts';
import type { CopyTargets } from './search-personal-data.ts';

type CopyDeps = {
  config: { dataDir: string; sheet: { kind: string }; mail: { smtp?: unknown } };
  receivers: readonly Pick<Receiver, 'name' | 'destination'>[];
  newsletter: { subscriberMail: { newsletter: Pick<Receiver, 'destination'> } };
  ledger: { path: string };
};

export function listCopyTargets({ config, receivers, newsletter, ledger }: CopyDeps): CopyTargets {
  const local = new Set<string>([receiverTypes.acknowledgements.name]);
  if (config.sheet.kind === 'file') local.add(receiverTypes.sheet.name);
  if (!config.mail.smtp) local.add(receiverTypes.mail.name);
  return {
    destinations: new Map(receivers.map(({ name, destination }) => [name, destination])),
    local,
    mailServer: config.mail.smtp ? newsletter.subscriberMail.newsletter.destination : undefined,
    ledgerPath: ledger.path,
  };
}
