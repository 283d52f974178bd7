import type { Prose } from '../../../core/content/prose.ts';
import type { Mail } from '../../../core/mail/compose-mail.ts';
import { issueMailFile } from '../../../core/mail/issue-mail.ts';
import { renderMailHtml, renderProseHtml } from '../../../core/mail/mail-html.ts';
import type { MailBrand } from '../../../core/mail/mail-styles.ts';
import { createMailFrame, readTextsOnce } from '../../../core/mail/mail-texts.ts';
import { createMailer, failIfRejected, type MailerSettings } from '../../../core/mail/mailer.ts';
import { renderProseText } from '../../../core/mail/newsletter-text.ts';
import { resolveLinks } from '../../../core/mail/resolve-links.ts';
import type { FilesDeps, Receiver } from '../../../core/outbox/delivery.ts';
import { escapeHtml } from '../../../lib/escape-html.ts';
import { siteContent } from '../../site/index.ts';
import { messagesContent } from '../content.ts';
import { type AcknowledgementPayload, assertAcknowledgement } from '../payloads.ts';
import { type ReceiverDefinition, showDeliveries } from './define-receiver.ts';

export type AcknowledgementTexts = {
  sender: string;
  replyTo: string;
  subject: string;
  body: Prose;
  address: string;
  brand: MailBrand;
};

const name = 'acknowledgements';

const type = {
  name,
  label: 'Acknowledgement to visitors',
  recipients: 'visitors who sent a message',
  showWaiting: showDeliveries(name),
};

/** It is not the owner's, because those get notices and test messages as well. */
export const acknowledgements: ReceiverDefinition<AcknowledgementPayload> = {
  ...type,
  isForVisitor: true,
  toSender: 'a mail to you that your message has arrived',
  create({ config: { dataDir, mail, siteUrl }, checkDiskSpace, findContent }) {
    if (!mail.isAcknowledging) return undefined;
    const texts = () => getAcknowledgementTexts(findContent());
    return createAcknowledgementReceiver(mail, { dataDir, checkDiskSpace, siteUrl, texts });
  },
};

const getAcknowledgementTexts = readTextsOnce(
  [siteContent, messagesContent, { name: 'sender', files: { issueMail: issueMailFile } }],
  (content): AcknowledgementTexts => {
    const { acknowledgementMail, issueMail } = content;
    const { replyTo, registered, brand } = createMailFrame(content, content.site.footer.registration);
    const address = [issueMail.address, ...registered].join('. ');
    return { ...acknowledgementMail, sender: issueMail.sender, replyTo, address, brand };
  },
);

type AcknowledgementDeps = FilesDeps & { texts(): AcknowledgementTexts; siteUrl: string | undefined };

export function createAcknowledgementReceiver(
  settings: MailerSettings,
  { texts, siteUrl, ...files }: AcknowledgementDeps,
): Receiver<AcknowledgementPayload> & { close(): void } {
  const { send, ...transport } = createMailer(settings, files);
  return {
    ...transport,
    ...type,
    concurrency: 1,
    // 360 an hour for all visitors together: so many strangers at most could be reached by an attacker.
    perSecond: 0.1,
    isAtMostOnce: true,
    async deliver(payload, { signal }) {
      assertAcknowledgement(payload);
      return failIfRejected(await send(createAcknowledgementMail(payload, texts(), siteUrl), signal));
    },
  };
}

/** Contains no visitor input, because anyone can have it sent to any address. */
export function createAcknowledgementMail(
  { reference, receivedAt, to }: AcknowledgementPayload,
  texts: AcknowledgementTexts,
  siteUrl: string | undefined,
): Mail {
  const { sender, subject, address, brand } = texts;
  const body = resolveLinks(fillReference(texts.body, reference), siteUrl);
  return {
    // Not that of the notification: a mailbox that gets both would drop one as a duplicate.
    reference: `acknowledgement-${reference}`,
    date: new Date(receivedAt),
    to,
    fromName: sender,
    replyTo: { name: '', address: texts.replyTo },
    subject,
    text: `${renderProseText([...body, address])}\n`,
    html: renderMailHtml({ subject, brand, body: renderProseHtml(body, brand), foot: [escapeHtml(address)] }),
    // RFC 3834, and what Exchange reads in its place: no out-of-office reply comes back.
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
  };
}

function fillReference(prose: Prose, reference: string): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node.replaceAll('{reference}', reference);
    const [tag, attributes, ...children] = node;
    return [tag, attributes, ...fillReference(children, reference)];
  });
}
