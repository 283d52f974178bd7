import { leaveQuery, stepPaths, tokenQuery } from '../api/contract.ts';
import type { DiskSpaceCheck } from '../deliveries/disk-space.ts';
import type { NewsletterDraft, NewsletterTexts } from '../deliveries/mail/newsletter-html.ts';
import { renderNewsletter } from '../deliveries/mail/render-newsletter.ts';
import {
  createSubscriberMail,
  type Links,
  sitePlaceholder,
  unsubscribePlaceholder,
} from '../deliveries/mail/subscriber-mail.ts';
import { createPseudonyms, type Pseudonyms } from '../domain/newsletter/pseudonym.ts';
import type { Clock } from '../lib/clock.ts';
import { createKeyedHash } from '../lib/keyed-hash.ts';
import type { Store } from '../store/open-store.ts';
import type { Config } from './config.ts';
import { newsletterTexts } from './newsletter-texts.ts';
import { isLoopback } from './settings/settings-reader.ts';

export type Newsletter = ReturnType<typeof createNewsletter>;

type NewsletterDeps = {
  store: Pick<Store, 'consentTexts'>;
  secret: string;
  clock: Clock;
  checkDiskSpace: DiskSpaceCheck;
  /** The folder of the texts in force. */
  findContent(): string;
};

export function createNewsletter(
  config: Config,
  { store, secret, clock, checkDiskSpace, findContent }: NewsletterDeps,
) {
  const texts = () => newsletterTexts(findContent());
  const pseudonyms = createPseudonyms({
    keys: createKeyedHash(secret),
    consentTexts: {
      get current() {
        return texts().consentTexts;
      },
    },
    stored: store.consentTexts,
    clock,
  });
  const base = getBaseUrl(config);
  const links = base === undefined ? undefined : createLinks(base, pseudonyms);
  const { dataDir, mail, newsletter } = config;
  return {
    pseudonyms,
    /** Undefined where mails would leave this machine with links to localhost. */
    links,
    subscriberMail: createSubscriberMail(
      { mail, perSecond: newsletter.perSecond },
      { dataDir, checkDiskSpace, texts: () => texts().subscriberMail, links },
    ),
    prepare: () => void texts(),
    renderIssue: (draft: NewsletterDraft) =>
      renderNewsletter(draft, texts().issue, {
        siteUrl: sitePlaceholder,
        unsubscribeUrl: unsubscribePlaceholder,
      }),
  };
}

export function renderPreview(draft: NewsletterDraft, texts: NewsletterTexts, siteUrl: string) {
  return renderNewsletter(draft, texts, { siteUrl, unsubscribeUrl: `${siteUrl}${stepPaths.leave}` });
}

function createLinks(base: string, pseudonyms: Pseudonyms): Links {
  return {
    site: base,
    confirm: token => `${base}${stepPaths.confirm}?${new URLSearchParams({ [tokenQuery]: token })}`,
    leave(subscriber) {
      const query = { [leaveQuery.id]: subscriber, [leaveQuery.key]: pseudonyms.unsubscribeKey(subscriber) };
      return `${base}${stepPaths.leave}?${new URLSearchParams(query)}`;
    },
  };
}

function getBaseUrl({ siteUrl, port, mail }: Config): string | undefined {
  if (siteUrl) return siteUrl;
  const isLocalOnly = !mail.smtp || (isLoopback(mail.smtp.host) && mail.from.endsWith('@localhost'));
  return isLocalOnly ? `http://localhost:${port}` : undefined;
}
