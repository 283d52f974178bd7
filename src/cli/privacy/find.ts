import { type AddressMatcher, createAddressMatcher } from '../../domain/privacy/address-matcher.ts';
import {
  holdsNothing,
  type PersonalData,
  searchPersonalData,
} from '../../domain/privacy/search-personal-data.ts';
import type { Wired } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';
import { describeAudit, printFindings } from './describe-person.ts';

export async function find(wired: Wired, address: string, { json: isJson }: Flags<'json'>): Promise<void> {
  const trace = readTrace(address);
  const found = await searchPersonalData(depsOf(wired), trace);
  const isKnown = !holdsNothing(found) || found.copies.length > 0 || found.issues.length > 0;
  if (!isKnown) process.exitCode = 1;
  if (isJson) return printJson({ address: trace.address, isKnown, ...asJson(found) });
  printFindings(found, wired);
  for (const line of found.audit) printNote(describeAudit(line));
  const { subscriber } = found.newsletter ?? {};
  if (subscriber && subscriber.address === null) {
    printNote(
      `The newsletter keeps a number made from the address, and sends nothing there (${subscriber.suppressed_why}).`,
    );
  }
  if (!isKnown) printError(`Nothing ${found.audit.length > 0 ? 'else ' : ''}is known of ${trace.address}.`);
  printOutside(wired, found);
}

export function readTrace(address: string): AddressMatcher {
  return createAddressMatcher(address) ?? throwUsageError(`'${address}' is not an e-mail address.`);
}

export function depsOf({ store, copies, newsletter, audit, ledger, clock, ids }: Wired) {
  const { privacy, signUps, subscribers, wordings } = store;
  const stored = { privacy, signUps, subscribers, wordings };
  return { ...stored, copies, newsletter: newsletter.naming, audit, ledger, clock, ids };
}

function printOutside({ config }: Wired, { deliveries }: PersonalData): void {
  const places = [
    config.sheet.kind === 'service' && 'sheet',
    config.mail.smtp && 'mail',
    config.webhook && 'webhook',
  ].filter(name => deliveries.some(({ receiver }) => receiver === name));
  if (places.length > 0)
    printNote(`Copies that were passed on outside cannot be looked for here: ${places.join(', ')}.`);
}

export function asJson(found: PersonalData) {
  const { messages, mentions, newsletter, notices, issues, copies, audit } = found;
  return {
    messages,
    mentions,
    deliveries: found.deliveries.map(({ reference, receiver, state, created_at, settled_at }) => ({
      reference,
      receiver,
      state,
      created_at,
      settled_at,
    })),
    newsletter: newsletter?.subscriber || newsletter?.signUps.length ? newsletterOf(newsletter) : null,
    notices,
    issues,
    copies,
    audit: audit.map(({ action, done_at, counts }) => ({ action, done_at, counts: JSON.parse(counts) })),
  };
}

function newsletterOf({ subscriber, signUps, letters }: NonNullable<PersonalData['newsletter']>) {
  return {
    subscriber: subscriber ?? null,
    requests: signUps,
    letters: letters.map(({ kind, name, state, created_at, settled_at }) => ({
      kind,
      issue: name,
      state,
      created_at,
      settled_at,
    })),
  };
}
