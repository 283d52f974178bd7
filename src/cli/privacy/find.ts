import { type AddressMatcher, createAddressMatcher } from '../../domain/privacy/address-matcher.ts';
import {
  isNothingFound,
  listRemoteReceivers,
  type PersonalData,
  searchPersonalData,
} from '../../domain/privacy/search-personal-data.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { printError, printJson, printNote } from '../print.ts';
import { formatAudit, printFindings } from './print-findings.ts';

export async function find(
  services: Services,
  address: string,
  { json: isJson }: Flags<'json'>,
): Promise<void> {
  const matcher = parseAddressMatcher(address);
  const found = await searchPersonalData(services.domainDeps, matcher);
  const isKnown = !isNothingFound(found) || found.copies.length > 0 || found.issues.length > 0;
  if (!isKnown) process.exitCode = 1;
  if (isJson) return printJson({ address: matcher.address, isKnown, ...findingsToJson(found) });
  printFindings(found, services);
  for (const entry of found.audit) printNote(formatAudit(entry));
  const { subscriber } = found.newsletter ?? {};
  if (subscriber && subscriber.address === null) {
    printNote(
      `The newsletter stores only a keyed hash of the address, and sends nothing to it (${subscriber.suppression_reason}).`,
    );
  }
  if (!isKnown) printError(`no ${found.audit.length > 0 ? 'other ' : ''}data found for ${matcher.address}`);
  await printRemoteCopies(services, found);
}

export function parseAddressMatcher(address: string): AddressMatcher {
  return createAddressMatcher(address) ?? throwUsageError(`'${address}' is not an email address`);
}

async function printRemoteCopies(services: Services, found: PersonalData): Promise<void> {
  const places = await listRemoteReceivers(services.domainDeps, found, listCopyTargets(services));
  const names = places.map(({ receiver }) => receiver);
  if (names.length > 0)
    printNote(`Copies delivered to other systems cannot be searched from here: ${names.join(', ')}`);
}

export function findingsToJson(found: PersonalData) {
  const { messages, mentions, notes, newsletter, notices, issues, reports, copies, audit } = found;
  return {
    messages,
    mentions,
    notes,
    deliveries: found.deliveries.map(({ reference, receiver, state, created_at, settled_at }) => ({
      ...{ reference, receiver, state, created_at, settled_at },
    })),
    newsletter: newsletter?.subscriber || newsletter?.signUps.length ? describeNewsletter(newsletter) : null,
    notices,
    issues,
    reports: reports.map(({ domain, measuredAt }) => ({ domain, measuredAt })),
    copies,
    audit: audit.map(({ action, done_at, counts }) => ({ action, done_at, counts: JSON.parse(counts) })),
  };
}

function describeNewsletter({ subscriber, signUps, mails }: NonNullable<PersonalData['newsletter']>) {
  const shown = mails.map(({ kind, name, state, created_at, settled_at }) => ({
    ...{ kind, issue: name, state, created_at, settled_at },
  }));
  return { subscriber: subscriber ?? null, requests: signUps, mails: shown };
}
