import type { MessagePayload, Receiver } from '../deliveries/delivery.ts';
import type { DiskSpaceCheck } from '../deliveries/disk-space.ts';
import { createAcknowledgementReceiver } from '../deliveries/mail/acknowledgement-mail.ts';
import { createMailReceiver } from '../deliveries/mail/mail-receiver.ts';
import { createSheetReceiver } from '../deliveries/sheet/sheet-receiver.ts';
import { createWebhookReceiver } from '../deliveries/webhook/webhook-receiver.ts';
import type { Clock } from '../lib/clock.ts';
import { toMessagePayload } from '../outbox/payload.ts';
import type { Store } from '../store/open-store.ts';
import type { Config } from './config.ts';
import { getMailTexts } from './mail-texts.ts';

export function createReceivers(
  { dataDir, sheet, mail, webhook }: Config,
  { clock, checkDiskSpace, store }: { clock: Clock; checkDiskSpace: DiskSpaceCheck; store: Store },
): Receiver[] {
  async function* messages(): AsyncGenerator<MessagePayload[]> {
    for await (const page of store.messages.each({ deliveredTo: 'sheet' }, 'oldest'))
      yield page.map(toMessagePayload);
  }
  return [
    createSheetReceiver(sheet, { dataDir, checkDiskSpace, messages }),
    createMailReceiver(mail, { dataDir, checkDiskSpace }),
    ...(webhook ? [createWebhookReceiver(webhook, { clock })] : []),
  ];
}

/** This receiver is not among the owner's, because those get notices and test messages as well. */
export function createAcknowledgements(
  { dataDir, mail, siteUrl }: Config,
  { checkDiskSpace, findContent }: { checkDiskSpace: DiskSpaceCheck; findContent(): string },
): Receiver | undefined {
  if (!mail.isAcknowledging) return undefined;
  const texts = () => getMailTexts(findContent()).acknowledgement;
  return createAcknowledgementReceiver(mail, { dataDir, checkDiskSpace, siteUrl, texts });
}
