import type { SignUpRow } from '../../core/database/tables.ts';
import type { KnownSubscriber, MailableRule, PastConfirmation } from './sign-up-transaction.ts';
import type { NewsletterTransaction, Subscribers } from './subscribers.ts';

export type BatchOptions = {
  now: string;
  notMailedSince: string;
  countedSince: string;
  maxPerHour: number;
  /** Of `maxPerHour`, to addresses of one registrable domain, so that nobody's mail server is flooded. Not for imports. */
  maxPerDomain: number;
  maxSignUps: number;
  reference(): string;
  mailboxPseudonym(address: string): string;
  getRegistrableDomain(host: string): string;
};

export type BatchResult = {
  processed: number;
  mailed: number;
  /** Of the hour: nothing more can be mailed. */
  isLimitReached: boolean;
  /** Of a domain: requests for others can be mailed. */
  isDomainLimitReached: boolean;
};

export function processBatch(
  subscribers: Pick<Subscribers, 'inExclusiveTransaction'>,
  options: BatchOptions,
): Promise<BatchResult> {
  return subscribers.inExclusiveTransaction(transaction => processInTransaction(transaction, options));
}

async function processInTransaction(
  transaction: NewsletterTransaction,
  options: BatchOptions,
): Promise<BatchResult> {
  const { now, notMailedSince } = options;
  const counted = await transaction.countConfirmations(options.countedSince);
  const domainOf = (address: string) =>
    options.getRegistrableDomain(address.slice(address.lastIndexOf('@') + 1));
  const addresses = await transaction.listConfirmationAddresses(options.countedSince);
  const countsByDomain = new Map(
    [...Map.groupBy(addresses, domainOf)].map(([domain, { length }]) => [domain, length]),
  );
  const isFull = (domain: string) => (countsByDomain.get(domain) ?? 0) >= options.maxPerDomain;
  const fullDomains = [...countsByDomain.keys()].filter(isFull);
  const signUps = await transaction.listNextSignUps(options.maxSignUps, counted, fullDomains);
  if (signUps.length === 0)
    return { processed: 0, mailed: 0, isLimitReached: false, isDomainLimitReached: false };

  const mailboxes = new Map(signUps.map(({ id, address }) => [id, options.mailboxPseudonym(address)]));
  const mailbox = ({ id }: SignUpRow) => mailboxes.get(id) as string;
  const rule = mailableRule(notMailedSince);
  const known = await transaction.findKnown([...new Set(signUps.map(({ subscriber }) => subscriber))], rule);
  const past = await transaction.findConfirmations([...new Set(mailboxes.values())], notMailedSince);

  const remainingByMailbox = new Map<string, SignUpRow>();
  for (const signUp of signUps) {
    const row = known.get(signUp.subscriber);
    const wasMailedRecently = past.get(mailbox(signUp))?.some(mail => countsForMailbox(mail, signUp, row));
    if (remainingByMailbox.has(mailbox(signUp)) || wasMailedRecently || (row && isObsolete(signUp, row)))
      continue;
    remainingByMailbox.set(mailbox(signUp), signUp);
  }
  const sent = [...counted.values()].reduce((sum, count) => sum + count, 0);
  const capacity = Math.max(0, options.maxPerHour - sent);
  const chosen: SignUpRow[] = [];
  for (const signUp of remainingByMailbox.values()) {
    const domain = domainOf(signUp.address);
    // A fifth of the limit is reserved for visitors, however long an imported list is.
    const reserved = isFromVisitor(signUp) ? 0 : Math.floor(options.maxPerHour / 5);
    if (chosen.length >= capacity - reserved || (isFromVisitor(signUp) && isFull(domain))) continue;
    chosen.push(signUp);
    if (isFromVisitor(signUp)) countsByDomain.set(domain, (countsByDomain.get(domain) ?? 0) + 1);
  }
  const mailed = new Set(await transaction.makePending(chosen, rule, now));
  for (const signUp of chosen) remainingByMailbox.delete(mailbox(signUp));
  // An address that gets no mail uses capacity as well, so that the remaining capacity reveals nothing about the address.
  await transaction.addConfirmations(
    chosen.map(signUp => ({
      reference: options.reference(),
      subscriber: signUp.subscriber,
      mailbox: mailbox(signUp),
      network: signUp.network,
      state: mailed.has(signUp.subscriber) ? 'waiting' : 'cancelled',
    })),
    now,
  );

  const settled = signUps.filter(signUp => !remainingByMailbox.has(mailbox(signUp))).map(({ id }) => id);
  await transaction.deleteSignUps(settled);
  const waiting = [...remainingByMailbox.values()].filter(isFromVisitor);
  return {
    processed: settled.length,
    mailed: mailed.size,
    isLimitReached: chosen.length >= capacity && waiting.length > 0,
    isDomainLimitReached: waiting.some(({ address }) => isFull(domainOf(address))),
  };
}

function mailableRule(notMailedSince: string): MailableRule {
  return { states: ['pending', 'unsubscribed'], reasons: ['erased'], before: notMailedSince };
}

/** The API accepts no request with the form 'import'. */
function isFromVisitor({ form }: SignUpRow): boolean {
  return form !== 'import';
}

function isObsolete(signUp: SignUpRow, { unsubscribed_at }: KnownSubscriber): boolean {
  const isBeforeUnsubscribing = unsubscribed_at !== null && signUp.requested_at < unsubscribed_at;
  return isBeforeUnsubscribing || !isFromVisitor(signUp);
}

/** A cancelled confirmation counts for the mailbox's other addresses too, or a mail would reveal whether its own is known. */
function countsForMailbox(
  { state, subscriber }: PastConfirmation,
  signUp: SignUpRow,
  row: KnownSubscriber | undefined,
): boolean {
  return state !== 'cancelled' || subscriber !== signUp.subscriber || row?.isMailable === false;
}
