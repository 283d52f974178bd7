import { leaveQuery, stepPaths, tokenQuery } from '../api/contract.ts';
import type { DiskFloor } from '../deliveries/disk-floor.ts';
import { createLetters, type Letters, type Links, leaveMark, siteMark } from '../deliveries/letters.ts';
import { writeIssue } from '../domain/issues/write-issue.ts';
import { createNaming, type Naming } from '../domain/subscribers/naming.ts';
import type { Clock } from '../lib/clock.ts';
import { createKeys } from '../lib/keys.ts';
import type { Store } from '../store/open.ts';
import type { Config } from './config.ts';
import { newsletterWords } from './newsletter-words.ts';
import { isLoopback } from './settings/address.ts';

export type Newsletter = {
  naming: Naming;
  /** Unset where letters would leave this machine with links that lead back to it. */
  links: Links | undefined;
  letters: Letters;
  /** Reads the owner's words now, so that no visitor waits for it. Throws each mistake in them as a line. */
  prepare(): void;
  /** An issue as its owner wrote it, or each mistake as a line. */
  readIssue(file: string): ReturnType<ReturnType<typeof newsletterWords>['readIssue']>;
  /** The same as readers get it, but for the marks that whoever sends it fills in. */
  writeIssue(draft: Parameters<typeof writeIssue>[0]): ReturnType<typeof writeIssue>;
};

type NewsletterDeps = {
  store: Pick<Store, 'subscribers'>;
  secret: string;
  clock: Clock;
  lowSpace: DiskFloor;
};

export function createNewsletter(
  config: Config,
  { store, secret, clock, lowSpace }: NewsletterDeps,
): Newsletter {
  const naming = createNaming({
    keys: createKeys(secret),
    wordings: {
      get current() {
        return newsletterWords().wordings;
      },
    },
    subscribers: store.subscribers,
    clock,
  });
  const base = baseOf(config);
  const links = base === undefined ? undefined : createLinks(base, naming);
  const { dataDir, mail, newsletter } = config;
  return {
    naming,
    links,
    letters: createLetters(
      { mail, perSecond: newsletter.perSecond },
      { dataDir, lowSpace, words: () => newsletterWords().letter, links },
    ),
    prepare: () => void newsletterWords(),
    readIssue: file => newsletterWords().readIssue(file, clock.now()),
    writeIssue: draft => writeIssue(draft, newsletterWords().issue, { siteUrl: siteMark, leaveMark }),
  };
}

function createLinks(base: string, naming: Naming): Links {
  return {
    site: base,
    confirm: token => `${base}${stepPaths.confirm}?${new URLSearchParams({ [tokenQuery]: token })}`,
    leave(subscriber) {
      const query = { [leaveQuery.id]: subscriber, [leaveQuery.key]: naming.leaveKey(subscriber) };
      return `${base}${stepPaths.leave}?${new URLSearchParams(query)}`;
    },
  };
}

/** While nothing is meant to leave this machine, it may be named by what it calls itself. */
function baseOf({ siteUrl, port, mail }: Config): string | undefined {
  if (siteUrl) return siteUrl;
  const isHere = !mail.smtp || (isLoopback(mail.smtp.host) && mail.from.endsWith('@localhost'));
  return isHere ? `http://localhost:${port}` : undefined;
}
