import type { MessagePayload, Receiver } from '../deliveries/delivery.ts';
import type { DiskFloor } from '../deliveries/disk-floor.ts';
import { createMail } from '../deliveries/mail.ts';
import { createSheet } from '../deliveries/sheet/sheet.ts';
import { createWebhook } from '../deliveries/webhook.ts';
import type { Clock } from '../lib/clock.ts';
import type { Store } from '../store/open-store.ts';
import type { MessageRow } from '../store/tables.ts';
import type { Config } from './config.ts';

export function createReceivers(
  { dataDir, sheet, mail, webhook }: Config,
  { clock, lowSpace, store }: { clock: Clock; lowSpace: DiskFloor; store: Pick<Store, 'messages'> },
): Receiver[] {
  async function* messages(): AsyncGenerator<MessagePayload[]> {
    for await (const page of store.messages.each({ deliveredTo: 'sheet' }, 'oldest'))
      yield page.map(toPayload);
  }
  return [
    createSheet(sheet, { dataDir, lowSpace, messages }),
    createMail(mail, { dataDir, lowSpace }),
    ...(webhook ? [createWebhook(webhook, { clock })] : []),
  ];
}

export function toPayload({
  reference,
  received_at,
  name,
  email,
  message,
  service,
}: MessageRow): MessagePayload {
  return { kind: 'message', reference, receivedAt: received_at, name, email, message, service };
}
