import type { Services } from '../../apps/server/wire.ts';
import { acknowledgements } from '../messages/acknowledge-message.ts';
import type { CopyTargets } from './search-personal-data.ts';

export function listCopyTargets({ config, receivers, newsletter, ledger }: Services): CopyTargets {
  const local = new Set<string>([acknowledgements]);
  if (config.sheet.kind === 'file') local.add('sheet');
  if (!config.mail.smtp) local.add('mail');
  return {
    destinations: new Map(receivers.map(({ name, destination }) => [name, destination])),
    local,
    mailServer: config.mail.smtp && newsletter.subscriberMail.newsletter.destination,
    ledgerPath: ledger.path,
  };
}
