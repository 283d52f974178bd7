import PostalMime, { type Attachment } from 'postal-mime';
import { type Fields, firstOf, parseFields } from './report-fields.ts';
import { type Finding, findStatus, judgeStatus } from './status.ts';

/** What a report says of one recipient. `addresses`: how the address may have been written, the likelier first. */
export type Report =
  | { kind: 'bounce'; addresses: string[]; status: string; finding: Finding }
  | { kind: 'complaint'; addresses: string[] };

export type BounceResult = { kind: 'read'; reports: Report[] } | { kind: 'unreadable'; why: string };

/** A report quotes little more than the head of what came back; nothing this long is one. */
export const longestReport = 1024 * 1024;

const limits = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };

/**
 * Reads a mail that tells of mail that came back (RFC 3464) or was complained about (RFC 5965). Only a mail that is such a
 * report itself counts: one that was quoted or forwarded within another says nothing here.
 */
export async function readBounce(mail: Uint8Array): Promise<BounceResult> {
  if (mail.length > longestReport) return unreadable('it is longer than 1 MB');
  const email = await PostalMime.parse(mail, limits).catch(() => undefined);
  if (!email) return unreadable('it is no mail that can be read');
  const type = email.headers.find(({ key }) => key === 'content-type')?.value ?? '';
  if (!/^multipart\/report\b/i.test(type.trim())) return unreadable('it is no delivery report');
  const status = email.attachments.find(({ mimeType }) => statusTypes.includes(mimeType));
  if (status) return found(readStatus(textOf(status)));
  const feedback = email.attachments.find(({ mimeType }) => mimeType === 'message/feedback-report');
  if (feedback) return found(await readFeedback(textOf(feedback), email.attachments));
  return unreadable('it is a report without the part that a program can read');
}

/** The second is for addresses that are not ASCII (RFC 6533). */
const statusTypes = ['message/delivery-status', 'message/global-delivery-status'];
/** `not-spam` is praise, and the others are about what is in a mail. */
const complaints = ['abuse', 'opt-out', 'opt-out-list'];

/** The first group is about the report, each of the others about one recipient. */
function readStatus(text: string): Report[] {
  return parseFields(text).flatMap((fields): Report[] => {
    const addresses = findRecipient(fields);
    const action = /^(failed|delayed)\b/i.exec(firstOf(fields, 'action'))?.[1]?.toLowerCase();
    if (addresses.length === 0 || !action) return [];
    const status = findStatus(firstOf(fields, 'status'), firstOf(fields, 'diagnostic-code'));
    const finding = action === 'failed' ? judgeStatus(status) : 'soft';
    return [{ kind: 'bounce', addresses, status: status ?? '', finding }];
  });
}

async function readFeedback(text: string, parts: Attachment[]): Promise<Report[]> {
  const [fields = new Map<string, string[]>()] = parseFields(text);
  if (!complaints.includes(firstOf(fields, 'feedback-type').toLowerCase())) return [];
  const named = (fields.get('original-rcpt-to') ?? []).map(bare).filter(Boolean);
  const addresses = named.length > 0 ? named : await readRecipient(parts);
  return addresses.map(address => ({ kind: 'complaint', addresses: [address] }));
}

/** Some leave the recipient out of the report, and send our own mail back: it went to one address. */
async function readRecipient(parts: Attachment[]): Promise<string[]> {
  const original = parts.find(({ mimeType }) => originalTypes.includes(mimeType));
  const email =
    original && (await PostalMime.parse(`${textOf(original)}\r\n\r\n`, limits).catch(() => undefined));
  const [only, ...more] = email?.to ?? [];
  return only?.address && more.length === 0 ? [only.address] : [];
}

const originalTypes = ['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers'];

/** Where it was sent counts, not where it was passed on to: the first is the address that is on our list. */
function findRecipient(fields: Fields): string[] {
  for (const name of ['original-recipient', 'final-recipient']) {
    const [, type, value = ''] = /^([\w-]+)\s*;(.*)$/s.exec(firstOf(fields, name)) ?? [];
    const address = type && /^(rfc822|utf-8)$/i.test(type) ? bare(value) : '';
    if (address) return [...new Set([address, decodeXtext(address)])];
  }
  return [];
}

/** An original recipient may have stayed as SMTP carries it: a sign as + and two digits (RFC 3461). */
function decodeXtext(text: string): string {
  return text.replaceAll(/\+([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function bare(text: string): string {
  return (/<([^<>]*)>/.exec(text)?.[1] ?? text).trim();
}

function textOf({ content }: Attachment): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

function found(reports: Report[]): BounceResult {
  return { kind: 'read', reports };
}

function unreadable(why: string): BounceResult {
  return { kind: 'unreadable', why };
}
