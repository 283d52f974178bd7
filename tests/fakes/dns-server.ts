import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import {
  type Answer,
  CHECKING_DISABLED,
  decode,
  encode,
  type Packet,
  streamDecode,
  streamEncode,
} from 'dns-packet';

export type ZoneType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'NS' | 'SOA' | 'CAA' | 'TLSA' | 'DNSKEY';

/** What each name has; a name that is not here, and has nothing below it, does not exist. CAA: 'issue example.org'. ['SERVFAIL'] fails. */
export type Zone = Record<string, Partial<Record<ZoneType, string[]>>>;

export type DnsServer = AsyncDisposable & { address: string; queries: string[] };

/** More is sent over TCP only, whatever the client says that it takes. */
const maxUdpLength = 512;

/**
 * A resolver on this machine, over UDP and TCP. Without a zone it hears, and says nothing. Answers of the `signed` domains,
 * and of everything below them, are authenticated (the AD flag); '.' is the root alone. The `bogus` domains fail unless the
 * question says that signatures are not to be checked (the CD flag).
 */
export async function createDnsServer(
  zone: Zone | undefined,
  signed: readonly string[] = [],
  bogus: readonly string[] = [],
): Promise<DnsServer> {
  const queries: string[] = [];
  const names = {
    existing: new Set(Object.keys(zone ?? {}).flatMap(listParents)),
    signed: new Set(signed),
    bogus: new Set(bogus),
  };
  const reply = (question: Packet): Packet => {
    const [{ name = '', type = 'A' } = {}] = question.questions ?? [];
    queries.push(`${type} ${name}`);
    return answer(question, zone ?? {}, names);
  };
  const tcp = createServer(socket => serveTcp(socket, reply));
  const udp = createSocket('udp4', (message, { port, address }) => {
    const packet = reply(decode(message));
    if (!zone) return;
    const whole = encode(packet);
    const truncated = encode({ ...packet, answers: [], flags: (packet.flags ?? 0) | 0x200 });
    udp.send(whole.length > maxUdpLength ? truncated : whole, port, address);
  });
  return {
    address: `127.0.0.1:${await listen(udp, tcp)}`,
    queries,
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
    },
  };
}

/** Both on one port: where UDP's is in use for TCP, another pair is tried. */
async function listen(udp: UdpSocket, tcp: Server): Promise<number> {
  for (;;) {
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port } = tcp.address() as AddressInfo;
    try {
      udp.bind(port, '127.0.0.1');
      await once(udp, 'listening');
      return port;
    } catch {
      await new Promise(resolve => tcp.close(resolve));
    }
  }
}

function serveTcp(socket: Socket, reply: (question: Packet) => Packet): void {
  let received: Buffer = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    socket.end(streamEncode(reply(streamDecode(received))));
  });
}

const noSuchName = 3;

/** The name itself, and every name above it: `www.example.org`, `example.org`, `org`. */
function listParents(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

type Names = Record<'existing' | 'signed' | 'bogus', ReadonlySet<string>>;

/** Follows aliases, as a resolver does: whether a name exists is told of the last one. */
function answer(question: Packet, zone: Zone, { existing, signed, bogus }: Names): Packet {
  const [{ name = '', type = 'A' } = {}] = question.questions ?? [];
  const answers: Answer[] = [];
  let owner = name.toLowerCase();
  for (let alias = zone[owner]?.CNAME?.[0]; alias && type !== 'CNAME'; alias = zone[owner]?.CNAME?.[0]) {
    answers.push({ type: 'CNAME', name: owner, data: alias, ttl: 60 });
    owner = alias;
  }
  const values = zone[owner]?.[type as ZoneType] ?? [];
  const isUnchecked = ((question.flags ?? 0) & CHECKING_DISABLED) !== 0;
  const isBogus = !isUnchecked && listParents(owner).some(one => bogus.has(one));
  const failure = values[0] === 'SERVFAIL' || isBogus ? 2 : 0;
  for (const value of failure ? [] : values)
    answers.push({ name: owner, ttl: 60, ...toRecord(type as ZoneType, value) } as Answer);
  const exists = owner === '.' || existing.has(owner);
  const isSigned = owner === '.' ? signed.has('.') : listParents(owner).some(one => signed.has(one));
  const flags = 0x8180 | (failure || (exists ? 0 : noSuchName)) | (isSigned ? 0x20 : 0);
  return { id: question.id ?? 0, type: 'response', flags, questions: question.questions ?? [], answers };
}

/** Data as a zone file writes it. MX without a number has the preference 10; the times of SOA are always the same. */
function toRecord(type: ZoneType, value: string): Record<string, unknown> {
  const words = value.split(' ');
  const [first = '', second = '', third = '', fourth = ''] = words;
  switch (type) {
    case 'MX':
      return second
        ? { type, data: { preference: Number(first), exchange: second } }
        : { type, data: { preference: 10, exchange: first } };
    case 'TXT':
      return { type, data: value.match(/.{1,200}/g) ?? [''] };
    case 'CAA':
      return { type, data: { flags: 0, tag: first, value: words.slice(1).join(' ') } };
    case 'SOA': {
      const times = { serial: 1, refresh: 3600, retry: 600, expire: 86_400, minimum: 60 };
      return { type, data: { mname: first, rname: second, ...times } };
    }
    case 'TLSA': {
      const numbers = { usage: Number(first), selector: Number(second), matchingType: Number(third) };
      return { type, data: { ...numbers, certificate: Buffer.from(fourth, 'hex') } };
    }
    case 'DNSKEY': {
      const key = Buffer.from(fourth, 'base64');
      return { type, data: { flags: Number(first), algorithm: Number(third), key } };
    }
    default:
      return { type, data: value };
  }
}
