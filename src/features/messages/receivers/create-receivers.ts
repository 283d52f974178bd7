import type { Config } from '../../../apps/server/config.ts';
import { getMailTexts } from '../../../apps/server/mail-texts.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Store } from '../../../core/database/open-store.ts';
import type { Receiver } from '../../../core/outbox/delivery.ts';
import type { DiskSpaceCheck } from '../../../core/outbox/disk-space.ts';
import { type MessagePayload, toMessagePayload } from '../payloads.ts';
import { createAcknowledgementReceiver } from './acknowledgement-mail.ts';
import { createMailReceiver } from './mail-receiver.ts';
import { receiverTypes } from './receiver-types.ts';
import { createSheetReceiver } from './sheet-receiver.ts';
import { createWebhookReceiver } from './webhook-receiver.ts';

export function createReceivers(
  { dataDir, sheet, mail, webhook }: Config,
  { clock, checkDiskSpace, store }: { clock: Clock; checkDiskSpace: DiskSpaceCheck; store: Store },
): Receiver[] {
  async function* messages(): AsyncGenerator<MessagePayload[]> {
    for await (const page of store.messages.each({ deliveredTo: receiverTypes.sheet.name }, 'oldest'))
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
