import ipaddr from 'ipaddr.js';

type ResolveTxt = (name: string) => Promise<string[]>;

/** Undefined `fault`: the record is valid and ends by refusing other senders. */
export type Spf = { record: string; fault?: SpfFault | undefined };
export type SpfFault = { finding: 'none' | 'several' | 'broken' | 'lookups' | 'open'; term?: string };

/** More lookups make the record invalid (RFC 7208, 4.6.4). */
const maxLookups = 10;
const needsLookup = /^[+?~-]?(a|mx|ptr|exists|include)([:/]|$)/i;
/** RFC 7208, 4.6.1, without the insides of names; `a=b` is a modifier, also one that is not known. */
const knownTerm =
  /^([+?~-]?(all|(include|exists):\S+|(a|mx|ptr)([:/]\S+)?|ip4:(?<four>[^\s/]+)(\/\d+)?|ip6:(?<six>[^\s/]+)(\/\d+)?)|[a-z][\w.-]*=\S*)$/i;
const isAll = /^[+?~-]?all$/i;

export async function readSpf(domain: string, resolveTxt: ResolveTxt): Promise<Spf> {
  const { record, fault } = await readRecord(domain, resolveTxt);
  if (fault) return { record, fault };
  const broken = await findBroken(record, resolveTxt, { lookups: 0 });
  return { record, fault: broken ?? (await findOpen(record, resolveTxt)) };
}

async function readRecord(domain: string, resolveTxt: ResolveTxt): Promise<Spf> {
  const records = (await resolveTxt(domain)).filter(text => /^v=spf1( |$)/i.test(text));
  if (records.length > 1) return { record: records.join('\n'), fault: { finding: 'several' } };
  const [record] = records;
  return record === undefined ? { record: '', fault: { finding: 'none' } } : { record };
}

async function findBroken(
  record: string,
  resolveTxt: ResolveTxt,
  counter: { lookups: number },
): Promise<SpfFault | undefined> {
  const terms = splitTerms(record);
  // RFC 7208, 4.6: one error of syntax anywhere, and receivers ignore the whole record.
  const wrong = terms.find(term => !isValidTerm(term));
  if (wrong) return { finding: 'broken', term: wrong };
  const hasAll = terms.some(term => isAll.test(term));
  for (const term of terms) {
    // RFC 7208, 5.1 and 6.1: what follows `all` is never reached, and `all` cancels a redirect.
    if (isAll.test(term)) break;
    const target = parseRedirect(term);
    if (target && hasAll) continue;
    if (!target && !needsLookup.test(term)) continue;
    counter.lookups += 1;
    if (counter.lookups > maxLookups) return { finding: 'lookups' };
    const name = target ?? /^[+?~-]?include:(\S+)$/i.exec(term)?.[1];
    // A name with macros can be resolved only for an actual mail.
    if (!name || name.includes('%')) continue;
    const found = await readRecord(name, resolveTxt);
    if (found.fault) return { finding: 'broken', term };
    const broken = await findBroken(found.record, resolveTxt, counter);
    if (broken) return broken;
  }
  return undefined;
}

async function findOpen(record: string, resolveTxt: ResolveTxt): Promise<SpfFault | undefined> {
  const all = splitTerms(record).find(term => isAll.test(term));
  if (all) return /^[~-]/.test(all) ? undefined : { finding: 'open', term: all };
  const target = splitTerms(record).map(parseRedirect).find(Boolean);
  if (!target) return { finding: 'open', term: record.split(/\s+/).at(-1) ?? '' };
  if (target.includes('%')) return undefined;
  const next = await readRecord(target, resolveTxt);
  return next.fault ?? findOpen(next.record, resolveTxt);
}

function isValidTerm(term: string): boolean {
  const match = knownTerm.exec(term);
  const { four = '0.0.0.0', six = '::' } = match?.groups ?? {};
  return match !== null && ipaddr.IPv4.isValidFourPartDecimal(four) && ipaddr.IPv6.isValid(six);
}

function parseRedirect(term: string): string | undefined {
  return /^redirect=(\S+)$/i.exec(term)?.[1];
}

function splitTerms(record: string): string[] {
  return record.split(/\s+/).slice(1);
}
