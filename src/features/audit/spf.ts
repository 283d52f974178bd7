import { findIps, isQueryName } from '../../core/network/dns-client.ts';
import type { AuditDns } from '../../core/network/network.ts';
import { joinStrings } from './dns-records.ts';
import { readMailRoute } from './mail-route.ts';
import {
  expandSpfDomain,
  parseSpfTerms,
  type SpfMechanism,
  type SpfMechanismName,
  type SpfQualifier,
} from './spf-terms.ts';

/** Undefined `fault`: the record is valid and refuses senders that it does not list. */
export type Spf = { record: string; fault?: SpfFault | undefined };
export type SpfFault = { finding: SpfFinding; term?: string };
/** several, broken, lookups and void-lookups: receivers ignore the record (permerror). */
type SpfFinding = 'none' | 'several' | 'broken' | 'lookups' | 'void-lookups' | 'open' | 'everyone';

/** RFC 7208, 4.6.4. A void lookup is one without records. */
const limits = { lookups: 10, voidLookups: 2, mailServers: 10 };
const needsLookup: readonly SpfMechanismName[] = ['a', 'mx', 'ptr', 'exists', 'include'];

/** What a receiver says of a mail from an address that the record does not list. */
type Verdict = { qualifier: SpfQualifier; term: string };
type Evaluation = { dns: AuditDns; sender: string; lookups: number; voidLookups: number };

/** RFC 7208: receivers answer permerror. */
class PermanentError extends Error {
  readonly fault: SpfFault;

  constructor(finding: SpfFinding, term: string) {
    super(finding);
    this.fault = { finding, term };
  }
}

export async function readSpf(domain: string, dns: AuditDns): Promise<Spf> {
  const records = await readRecords(domain, dns);
  const [record] = records;
  if (record === undefined) return { record: '', fault: { finding: 'none' } };
  if (records.length > 1) return { record: records.join('\n'), fault: { finding: 'several' } };
  try {
    const evaluation = { dns, sender: domain, lookups: 0, voidLookups: 0 };
    const { qualifier, term } = await evaluate(record, domain, evaluation);
    if (qualifier === '+') return { record, fault: { finding: 'everyone', term } };
    return qualifier === '?' ? { record, fault: { finding: 'open', term } } : { record };
  } catch (error) {
    if (error instanceof PermanentError) return { record, fault: error.fault };
    throw error;
  }
}

async function readRecords(name: string, dns: AuditDns): Promise<string[]> {
  const { records } = await dns.query(name, 'TXT');
  return records.map(joinStrings).filter(text => /^v=spf1( |$)/i.test(text));
}

async function evaluate(record: string, domain: string, evaluation: Evaluation): Promise<Verdict> {
  const terms = parseSpfTerms(record);
  if ('invalid' in terms) throw new PermanentError('broken', terms.invalid);
  for (const term of terms) {
    if (term.kind === 'modifier') continue;
    const { name, qualifier, text } = term;
    if (needsLookup.includes(name)) countLookup(evaluation, text);
    if (await matchesUnlisted(term, domain, evaluation)) return { qualifier, term: text };
  }
  // RFC 7208, 6.1: only where no mechanism was true, and `all` always is.
  const redirect = terms.find(({ kind, name }) => kind === 'modifier' && name === 'redirect');
  if (!redirect) return { qualifier: '?', term: terms.at(-1)?.text ?? record };
  countLookup(evaluation, redirect.text);
  const verdict = await evaluateTarget(redirect, domain, evaluation);
  // A name with macros is known only for an actual mail, and is not doubted.
  return verdict ?? { qualifier: '-', term: redirect.text };
}

/** Whether the mechanism is true for addresses that it does not name, be it of one family. */
async function matchesUnlisted(
  mechanism: SpfMechanism,
  domain: string,
  evaluation: Evaluation,
): Promise<boolean> {
  const { name, text, target, isEvery } = mechanism;
  switch (name) {
    case 'all':
      return true;
    case 'ip4':
    case 'ip6':
      return isEvery.four;
    case 'ptr':
      return false;
    case 'include':
      return (await evaluateTarget({ text, target }, domain, evaluation))?.qualifier === '+';
    default: {
      const host = target === '' ? domain : expandSpfDomain(target, { domain, sender: evaluation.sender });
      if (host === undefined || !isQueryName(host)) return false;
      return lookUp[name](mechanism, host, evaluation);
    }
  }
}

type Lookup = (mechanism: SpfMechanism, host: string, evaluation: Evaluation) => Promise<boolean>;

const lookUp: Record<'a' | 'mx' | 'exists', Lookup> = {
  // RFC 7208, 5.7: asks for IPv4 whatever the sender has.
  async exists(mechanism, host, evaluation) {
    const { records } = await evaluation.dns.query(host, 'A');
    countFound(records, mechanism, evaluation);
    return records.length > 0;
  },
  async a(mechanism, host, evaluation) {
    const ips = await findIps(evaluation.dns, host);
    countFound(ips, mechanism, evaluation);
    return hasEvery(mechanism, ips);
  },
  async mx(mechanism, host, evaluation) {
    const { servers } = await readMailRoute(evaluation.dns, host);
    countFound(servers, mechanism, evaluation);
    if (servers.length > limits.mailServers) throw new PermanentError('broken', mechanism.text);
    if (!mechanism.isEvery.four && !mechanism.isEvery.six) return false;
    const ips = servers.filter(isQueryName).map(server => findIps(evaluation.dns, server));
    return hasEvery(mechanism, (await Promise.all(ips)).flat());
  },
};

function hasEvery({ isEvery: { four, six } }: SpfMechanism, ips: readonly string[]): boolean {
  return ips.some(ip => (ip.includes(':') ? six : four));
}

/** The record that `include` or `redirect` leads to, which must exist. */
async function evaluateTarget(
  { text, target }: { text: string; target: string },
  domain: string,
  evaluation: Evaluation,
): Promise<Verdict | undefined> {
  const name = expandSpfDomain(target, { domain, sender: evaluation.sender });
  if (name === undefined) return undefined;
  const records = isQueryName(name) ? await readRecords(name, evaluation.dns) : [];
  const [record] = records;
  if (record === undefined || records.length > 1) throw new PermanentError('broken', text);
  return evaluate(record, name, evaluation);
}

function countFound(found: readonly unknown[], { text }: SpfMechanism, evaluation: Evaluation): void {
  if (found.length > 0) return;
  evaluation.voidLookups += 1;
  if (evaluation.voidLookups > limits.voidLookups) throw new PermanentError('void-lookups', text);
}

function countLookup(evaluation: Evaluation, term: string): void {
  evaluation.lookups += 1;
  if (evaluation.lookups > limits.lookups) throw new PermanentError('lookups', term);
}
