import type { MessagePayload, Receiver } from '../deliveries/delivery.ts';
import type { DiskSpaceCheck } from '../deliveries/disk-space.ts';
import { createMailReceiver } from '../deliveries/mail/mail-receiver.ts';
import { createSheetReceiver } from '../deliveries/sheet/sheet-receiver.ts';
import { createWebhookReceiver } from '../deliveries/webhook/webhook-receiver.ts';
import type { Clock } from '../lib/clock.ts';
import { toMessagePayload } from '../outbox/payload.ts';
import type { Store } from '../store/open-store.ts';
import type { Config } from './config.ts';

export function createReceivers(
  { dataDir, sheet, mail, webhook }: Config,
  { clock, lowSpace, store }: { clock: Clock; lowSpace: DiskSpaceCheck; store: Pick<Store, 'messages'> },
): Receiver[] {
  async function* messages(): AsyncGenerator<MessagePayload[]> {
    for await (const page of store.messages.each({ deliveredTo: 'sheet' }, 'oldest'))
      yield page.map(toMessagePayload);
  }
  return [
    createSheetReceiver(sheet, { dataDir, lowSpace, messages }),
    createMailReceiver(mail, { dataDir, lowSpace }),
    ...(webhook ? [createWebhookReceiver(webhook, { clock })] : []),
  ];
}
