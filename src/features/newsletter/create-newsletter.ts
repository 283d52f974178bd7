import type { Core } from '../../core/feature.ts';
import type { IssueTexts, NewsletterDraft } from '../../core/mail/mail-html.ts';
import type { CoreConfig } from '../../core/settings/core-settings.ts';
import { isLoopback } from '../../core/settings/schemas.ts';
import type { ConsentTexts } from './consent-texts.ts';
import { newsletterPaths, tokenQuery, unsubscribeQuery } from './contract.ts';
import { getMailTexts } from './mail-texts.ts';
import { createNewsletterKeys, type NewsletterKeys } from './newsletter-keys.ts';
import { newsletterSettings } from './newsletter-settings.ts';
import { renderNewsletter } from './render-newsletter.ts';
import { createConsentTextResolver } from './resolve-consent-text.ts';
import {
  createSubscriberMail,
  type Links,
  sitePlaceholder,
  unsubscribePlaceholder,
} from './subscriber-mail.ts';

export type Newsletter = ReturnType<typeof createNewsletter>;

export function createNewsletter(
  { config, clock, checkDiskSpace, findContent, permanentHmac, readSettings }: Core,
  stored: ConsentTexts,
) {
  const texts = () => getMailTexts(findContent());
  const keys = createNewsletterKeys(permanentHmac);
  const resolveConsentText = createContentResolver({ findContent, clock }, stored);
  const base = getBaseUrl(config);
  const links = base === undefined ? undefined : createLinks(base, keys);
  const { dataDir, mail } = config;
  return {
    keys,
    resolveConsentText,
    /** Undefined where mails would leave this machine with links to localhost. */
    links,
    subscriberMail: createSubscriberMail(
      { mail, perSecond: readSettings(newsletterSettings).perSecond },
      { dataDir, checkDiskSpace, texts: () => texts().subscriberMail, links },
    ),
    assertTextsReadable: () => void texts(),
    renderIssue: (draft: NewsletterDraft) =>
      renderNewsletter(draft, texts().issue, {
        siteUrl: sitePlaceholder,
        unsubscribeUrl: unsubscribePlaceholder,
      }),
  };
}

/** Resolves the consent texts in force. */
export function createContentResolver(
  { findContent, clock }: Pick<Core, 'findContent' | 'clock'>,
  stored: ConsentTexts,
) {
  return createConsentTextResolver({
    consentTexts: {
      get current() {
        return getMailTexts(findContent()).consentTexts;
      },
    },
    stored,
    clock,
  });
}

export function renderPreview(draft: NewsletterDraft, texts: IssueTexts, siteUrl: string) {
  return renderNewsletter(draft, texts, {
    siteUrl,
    unsubscribeUrl: `${siteUrl}${newsletterPaths.unsubscribe}`,
  });
}

/** A queued issue as its subscribers get it, without the key that each unsubscribe link has. */
export function fillPlaceholders(html: string, siteUrl: string): string {
  return html
    .replaceAll(sitePlaceholder, siteUrl)
    .replaceAll(unsubscribePlaceholder, `${siteUrl}${newsletterPaths.unsubscribe}`);
}

const darkOnly = '@media (prefers-color-scheme: dark)';

/** As a mail program with this colour scheme shows it, whatever the scheme of the browser is. */
export function forceColourScheme(html: string, scheme: 'light' | 'dark'): string {
  return html
    .replace(darkOnly, scheme === 'dark' ? '@media all' : '@media not all')
    .replace('name="color-scheme" content="light dark"', `name="color-scheme" content="${scheme}"`);
}

function createLinks(base: string, keys: NewsletterKeys): Links {
  return {
    site: base,
    confirm: token => `${base}${newsletterPaths.confirm}?${new URLSearchParams({ [tokenQuery]: token })}`,
    unsubscribe(subscriber) {
      const query = {
        [unsubscribeQuery.id]: subscriber,
        [unsubscribeQuery.key]: keys.unsubscribeKey(subscriber),
      };
      return `${base}${newsletterPaths.unsubscribe}?${new URLSearchParams(query)}`;
    },
  };
}

function getBaseUrl({ siteUrl, port, mail }: CoreConfig): string | undefined {
  if (siteUrl) return siteUrl;
  const isLocalOnly = !mail.smtp || (isLoopback(mail.smtp.host) && mail.from.endsWith('@localhost'));
  return isLocalOnly ? `http://localhost:${port}` : undefined;
}
