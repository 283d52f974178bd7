import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const types = { A: 1, MX: 15, TXT: 16, AAAA: 28, CAA: 257 } as const;
type RecordType = keyof typeof types;

/** What each name has; a name that is not here does not exist. CAA: 'issue example.org'. */
export type Zone = Record<string, Partial<Record<RecordType, string[]>>>;

export type DnsServer = AsyncDisposable & { address: string; queries: string[] };

/** A name server on this machine, over UDP. Without a zone it hears, and says nothing. */
export async function createDnsServer(zone: Zone | undefined): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question);
    asked.push(`${type} ${name}`);
    if (zone) socket.send(answer(question.subarray(0, end), zone[name], type), port, address);
  });
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    queries: asked,
    [Symbol.asyncDispose]: () => new Promise(resolve => socket.close(() => resolve())),
  };
}

function readQuestion(message: Buffer): { name: string; type: string; end: number } {
  const parts: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    parts.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const number = message.readUInt16BE(at + 1);
  const [type = String(number)] = Object.entries(types).find(([, known]) => known === number) ?? [];
  return { name: parts.join('.').toLowerCase(), type, end: at + 5 };
}

/** The question comes back with what was found; what else it carried is left out. */
function answer(question: Buffer, known: Zone[string] | undefined, type: string): Buffer {
  const values = known?.[type as RecordType] ?? [];
  const head = Buffer.from(question);
  const noSuchName = 3;
  head.writeUInt16BE(0x8180 | (known ? 0 : noSuchName), 2);
  head.writeUInt16BE(values.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...values.map(value => record(type as RecordType, value))]);
}

function record(type: RecordType, value: string): Buffer {
  const data = encode[type](value);
  const head = Buffer.alloc(12);
  const nameOfTheQuestion = 0xc00c;
  head.writeUInt16BE(nameOfTheQuestion, 0);
  head.writeUInt16BE(types[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const encode: Record<RecordType, (value: string) => Buffer> = {
  A: value => Buffer.from(value.split('.').map(Number)),
  AAAA(value) {
    const [left = '', right = ''] = value.split('::').map(half => half.split(':').filter(Boolean));
    const groups = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
    return Buffer.from(groups.map(group => group.padStart(4, '0')).join(''), 'hex');
  },
  TXT: value => Buffer.concat((value.match(/.{1,200}/g) ?? ['']).map(counted)),
  MX: value => Buffer.concat([Buffer.from([0, 10]), ...value.split('.').map(counted), Buffer.from([0])]),
  CAA(value) {
    const [tag = '', ...rest] = value.split(' ');
    return Buffer.concat([Buffer.from([0]), counted(tag), Buffer.from(rest.join(' '))]);
  },
};

function counted(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
}
