import { randomInt } from 'node:crypto';
import packet, { type DecodedPacket } from 'dns-packet';
import { formatRecord } from './dns-record-text.ts';
import { askByTcp, askByUdp, type DnsServer } from './dns-transport.ts';
import type { NetworkLimits } from './limits.ts';
import type { AuditDns, DnsAnswer, DnsRecordType } from './network.ts';
import { NetworkError } from './network-error.ts';

type DnsClientOptions = { servers: readonly DnsServer[]; limits: NetworkLimits; signal: AbortSignal };

/** dns-packet decodes it and its types leave it out. */
type Response = DecodedPacket & { rcode: string };

const maxServers = 3;
const rounds = 2;
/** The usual size that is not fragmented on its way (DNS Flag Day 2020). */
const udpPayloadSize = 1232;
const queryName = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;

export function isQueryName(name: string): boolean {
  return queryName.test(name);
}

/** A stub resolver: questions go to the configured servers, which are exempt from the rule on addresses and ports. */
export function createDnsClient({ servers, limits, signal }: DnsClientOptions): AuditDns {
  const asked = new Map<string, Promise<DnsAnswer>>();
  let queries = 0;

  function countQuery(): void {
    queries++;
    if (queries > limits.dnsQueries)
      throw new NetworkError(`more than ${limits.dnsQueries} DNS queries`, 'limit');
  }

  async function ask(name: string, type: DnsRecordType): Promise<DnsAnswer> {
    if (name !== '.' && !isQueryName(name)) throw new NetworkError('not a name that DNS can be asked for');
    const attempts = Array.from({ length: rounds }, () => servers.slice(0, maxServers)).flat();
    for (const server of attempts) {
      const response = await exchange(server, name, type).catch(error => {
        if (error instanceof NetworkError && error.kind === 'limit') throw error;
        if (signal.aborted) throw new NetworkError('the time of the audit is over', 'limit');
        return undefined;
      });
      if (response?.rcode === 'NOERROR' || response?.rcode === 'NXDOMAIN')
        return readAnswer(response, name, type);
      // A validating resolver says so of a zone with broken signatures, and each of them would.
      if (response?.rcode === 'SERVFAIL') return askAgain(server, name, type);
    }
    throw new NetworkError(`no answer from DNS for ${name} ${type}`, 'dns');
  }

  /** After SERVFAIL: an answer without checking of signatures, and none with it, again, is the fault of the signatures. */
  async function askAgain(server: DnsServer, name: string, type: DnsRecordType): Promise<DnsAnswer> {
    const failure = new NetworkError(`DNS: SERVFAIL for ${name} ${type}`, 'dns');
    const isAnswer = ({ rcode }: Response) => rcode === 'NOERROR' || rcode === 'NXDOMAIN';
    try {
      if (!isAnswer(await exchange(server, name, type, packet.CHECKING_DISABLED))) throw failure;
      const checked = await exchange(server, name, type);
      if (isAnswer(checked)) return readAnswer(checked, name, type);
    } catch (error) {
      if (error instanceof NetworkError) throw error;
      throw failure;
    }
    throw new NetworkError(`the DNSSEC signatures of ${name} do not validate`, 'bogus');
  }

  async function exchange(
    server: DnsServer,
    name: string,
    type: DnsRecordType,
    flags = 0,
  ): Promise<Response> {
    const id = randomInt(65_536);
    const query = packet.encode({
      type: 'query',
      id,
      flags: packet.RECURSION_DESIRED | packet.AUTHENTIC_DATA | flags,
      questions: [{ type, name, class: 'IN' }],
      additionals: [
        {
          type: 'OPT',
          name: '.',
          udpPayloadSize,
          extendedRcode: 0,
          ednsVersion: 0,
          flags: 0,
          flag_do: false,
          options: [],
        },
      ],
    });
    const isAnswer = (message: Buffer) => isAnswerTo(message, { id, name, type });
    const within = AbortSignal.any([signal, AbortSignal.timeout(limits.dnsMs)]);
    countQuery();
    const response = decode(await askByUdp(server, query, isAnswer, within));
    if (!response.flag_tc) return response;
    countQuery();
    return decode(await askByTcp(server, query, isAnswer, within));
  }

  return {
    query(name, type) {
      const key = `${type} ${name.toLowerCase()}`;
      const answer = asked.get(key) ?? ask(name.toLowerCase(), type);
      asked.set(key, answer);
      return answer;
    },
  };
}

/** Of both families. A zone that fails for one of them is used by the other. */
export async function queryAddresses(dns: AuditDns, host: string): Promise<DnsAnswer[]> {
  const [four, six] = await Promise.allSettled([dns.query(host, 'A'), dns.query(host, 'AAAA')]);
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return [four, six].flatMap(one => (one.status === 'fulfilled' ? one.value : []));
}

function isAnswerTo(message: Buffer, asked: { id: number; name: string; type: string }): boolean {
  try {
    // Without its records, which are decoded once, when it is the answer.
    const head = Buffer.from(message).fill(0, recordCounts.start, recordCounts.end);
    const { id, flag_qr, questions = [] } = packet.decode(head) as Response;
    const [question] = questions;
    const isSame = question?.name.toLowerCase() === asked.name && question.type === asked.type;
    return flag_qr && id === asked.id && isSame;
  } catch {
    return false;
  }
}

/** RFC 1035, 4.1.1: three counts of 16 bits. */
const recordCounts = { start: 6, end: 12 };
/** More than any honest name has; a message has room for thousands. */
const maxRecords = 300;

function decode(message: Buffer): Response {
  const { start, end } = recordCounts;
  let records = 0;
  for (let at = start; at < end; at += 2) records += message.readUInt16BE(at);
  if (records > maxRecords) throw new NetworkError(`DNS: more than ${maxRecords} records`, 'limit');
  return packet.decode(message) as Response;
}

/** Follows CNAMEs from the name; records of other owners in the same message are left out. */
function readAnswer(
  { answers = [], flag_ad, rcode }: Response,
  name: string,
  type: DnsRecordType,
): DnsAnswer {
  const aliases: string[] = [];
  const owners = new Set([name]);
  for (const answer of type === 'CNAME' ? [] : answers) {
    if (answer.type !== 'CNAME' || !owners.has(answer.name.toLowerCase())) continue;
    aliases.push(answer.data.toLowerCase());
    owners.add(answer.data.toLowerCase());
  }
  const records = answers.flatMap(answer =>
    answer.type === type && owners.has(answer.name.toLowerCase()) && 'data' in answer
      ? [
          {
            text: formatRecord(type, answer.data),
            ttl: ('ttl' in answer && answer.ttl) || 0,
            data: answer.data,
          },
        ]
      : [],
  );
  return { exists: rcode !== 'NXDOMAIN', authenticated: flag_ad, records, aliases };
}

export async function findIps(dns: AuditDns, host: string): Promise<string[]> {
  const answers = await queryAddresses(dns, host);
  return answers.flatMap(({ records }) => records.map(({ data }) => String(data)));
}
