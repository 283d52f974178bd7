import type { Core } from '../../../core/feature.ts';
import { createMailFrame, readTextsOnce } from '../../../core/mail/mail-texts.ts';
import type { Receiver } from '../../../core/outbox/delivery.ts';
import { newsletterContent } from '../../newsletter/content.ts';
import { siteContent } from '../../site/index.ts';
import { messagesContent } from '../content.ts';
import type { Messages } from '../messages.ts';
import { type MessagePayload, toMessagePayload } from '../payloads.ts';
import { sheetSettings } from '../settings/sheet-settings.ts';
import { webhookSettings } from '../settings/webhook-settings.ts';
import { type AcknowledgementTexts, createAcknowledgementReceiver } from './acknowledgement-mail.ts';
import { createMailReceiver } from './mail-receiver.ts';
import { receiverTypes } from './receiver-types.ts';
import { createSheetReceiver } from './sheet-receiver.ts';
import { createWebhookReceiver } from './webhook-receiver.ts';

export function createReceivers(
  { config, readSettings, clock, checkDiskSpace }: Core,
  stored: Pick<Messages, 'each'>,
): Receiver[] {
  const { dataDir, mail } = config;
  const webhook = readSettings(webhookSettings);
  async function* messages(): AsyncGenerator<MessagePayload[]> {
    for await (const page of stored.each({ deliveredTo: receiverTypes.sheet.name }, 'oldest'))
      yield page.map(toMessagePayload);
  }
  return [
    createSheetReceiver(readSettings(sheetSettings), { dataDir, checkDiskSpace, messages }),
    createMailReceiver(mail, { dataDir, checkDiskSpace }),
    ...(webhook ? [createWebhookReceiver(webhook, { clock })] : []),
  ];
}

/** This receiver is not among the owner's, because those get notices and test messages as well. */
export function createAcknowledgements({
  config: { dataDir, mail, siteUrl },
  checkDiskSpace,
  findContent,
}: Core): Receiver | undefined {
  if (!mail.isAcknowledging) return undefined;
  const texts = () => getAcknowledgementTexts(findContent());
  return createAcknowledgementReceiver(mail, { dataDir, checkDiskSpace, siteUrl, texts });
}

const getAcknowledgementTexts = readTextsOnce(
  [siteContent, newsletterContent, messagesContent],
  (content): AcknowledgementTexts => {
    const { acknowledgementMail, issueMail } = content;
    const { replyTo, registered, brand } = createMailFrame(content, content.site.footer.registration);
    const address = [issueMail.address, ...registered].join('. ');
    return { ...acknowledgementMail, sender: issueMail.sender, replyTo, address, brand };
  },
);
