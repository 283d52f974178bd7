import { createMailFrame, readTextsOnce } from '../../core/mail/mail-texts.ts';
import { siteContent } from '../site/index.ts';
import { newsletterContent } from './content.ts';
import { consentTextId, readConsentTexts } from './read-consent-texts.ts';
import type { CurrentConsentTexts } from './resolve-consent-text.ts';
import type { SubscriberMailTexts } from './subscriber-mail.ts';

const importConsentText =
  'Imported by the owner. Consent is given by the button that the confirmation letter leads to.';

/** The texts in force, of the content in a folder. */
export const getMailTexts = readTextsOnce([siteContent, newsletterContent], content => {
  const { confirmationMail: confirmation, issueMail } = content;
  const { replyTo, registered, brand } = createMailFrame(content, content.site.footer.registration);
  const subscriberMail: SubscriberMailTexts = {
    sender: issueMail.sender,
    replyTo,
    confirmation: { ...confirmation, body: [confirmation.body.trimEnd(), ...registered].join('\n') },
  };
  const consentTexts: CurrentConsentTexts = {
    ...readConsentTexts(content),
    import: { id: consentTextId(importConsentText), text: importConsentText },
  };
  const address = [issueMail.address, ...registered].join('. ');
  return { subscriberMail, consentTexts, issue: { ...issueMail, address, brand } };
});
