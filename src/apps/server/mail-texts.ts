import { resolve } from 'node:path';
import { getHexColour } from '../../core/content/brand/theme-colours.ts';
import { describeContentError } from '../../core/content/content-error.ts';
import type { Brand } from '../../core/content/schemas/brand.ts';
import { consentTextId, readConsentTexts } from '../../features/newsletter/read-consent-texts.ts';
import type { CurrentConsentTexts } from '../../features/newsletter/resolve-consent-text.ts';
import type { SubscriberMailTexts } from '../../features/newsletter/subscriber-mail.ts';
import { readContent } from '../content.ts';

export const contentFolder = resolve(import.meta.dirname, '../../../content');

const importConsentText =
  'Imported by the owner. Consent is given by the button that the confirmation letter leads to.';

export type MailTexts = ReturnType<typeof readMailTexts>;

let cached: { folder: string; texts: MailTexts } | undefined;

export function getMailTexts(folder = contentFolder): MailTexts {
  if (cached?.folder !== folder) cached = { folder, texts: readMailTexts(folder) };
  return cached.texts;
}

function readMailTexts(folder: string) {
  const { content, errors } = readContent(folder);
  if (!content) throw new Error(errors.map(describeContentError).join('\n'));
  const {
    brand,
    company,
    acknowledgementMail,
    confirmationMail: confirmation,
    issueMail: issue,
    site,
  } = content;
  const registered = describeRegistration(
    { name: brand.legalName, ...company.registration },
    site.footer.registration,
  );
  const subscriberMail: SubscriberMailTexts = {
    sender: issue.sender,
    replyTo: company.email,
    confirmation: { ...confirmation, body: [confirmation.body.trimEnd(), ...registered].join('\n') },
  };
  const consentTexts: CurrentConsentTexts = {
    ...readConsentTexts(content),
    import: { id: consentTextId(importConsentText), text: importConsentText },
  };
  const address = [issue.address, ...registered].join('. ');
  const { sender } = issue;
  const mailBrand = {
    logoText: brand.logoText,
    colours: { light: selectMailColours(brand, 'paper'), dark: selectMailColours(brand, 'ink') },
  };
  return {
    subscriberMail,
    acknowledgement: { ...acknowledgementMail, sender, replyTo: company.email, address, brand: mailBrand },
    consentTexts,
    issue: { ...issue, address, brand: mailBrand },
  };
}

function selectMailColours({ colours }: Brand, theme: 'paper' | 'ink') {
  const get = (name: string) => getHexColour(colours, theme, name);
  return {
    surface: get('surface'),
    text: get('text'),
    muted: get('muted'),
    accent: get('accent'),
    hairline: get('hairline'),
  };
}

/** UK companies must show these in mails as on the site. */
function describeRegistration<Name extends string>(
  facts: Record<Name, string | null>,
  labels: Record<Name, string>,
): string[] {
  const names = (Object.keys(labels) as Name[]).filter(name => facts[name]);
  return names.length > 0 ? [names.map(name => `${labels[name]}: ${facts[name]}`).join(', ')] : [];
}
