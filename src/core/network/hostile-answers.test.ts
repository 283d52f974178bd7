import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import packet from 'dns-packet';
import { expect, test } from 'vitest';
import { createAuthority } from '../../../tests/fakes/certificate.ts';
import { createDnsServer } from '../../../tests/fakes/dns-server.ts';
import { webCertificate } from '../../features/audit/checks/web-certificate.ts';
import { runAudit } from '../../features/audit/run-audit.ts';
import { createAuditNetwork } from './create-network.ts';
import { createDnsClient } from './dns-client.ts';
import { parseDnsServer } from './dns-transport.ts';
import { auditLimits } from './limits.ts';

const host = 'good.example';
const ip = '127.0.0.2';

test('takes only the answer to its question from DNS, and asks the next server after silence', async () => {
  await using silent = await createDnsServer(undefined);
  const forger = createSocket('udp4', (message, { port, address }) => {
    const { id = 0, questions = [] } = packet.decode(message);
    const reply = (changes: packet.Packet, data = '10.0.0.5') => {
      const answers = [{ type: 'A' as const, name: host, data, ttl: 1 }];
      forger.send(packet.encode({ type: 'response', id, questions, answers, ...changes }), port, address);
    };
    forger.send(Buffer.from('garbage'), port, address);
    reply({ id: id ^ 1 });
    reply({ questions: [{ type: 'A', name: 'other.example' }] });
    reply({ type: 'query' });
    reply({
      answers: [
        { type: 'A', name: 'other.example', data: '10.0.0.5', ttl: 1 },
        { type: 'A', name: host, data: ip, ttl: 1 },
      ],
    });
  });
  forger.bind(0, '127.0.0.1');
  await once(forger, 'listening');
  const servers = [parseDnsServer(silent.address), { ip: '127.0.0.1', port: forger.address().port }];
  const limits = { ...auditLimits, dnsMs: 100 };
  const dns = createDnsClient({ servers, limits, signal: new AbortController().signal });
  expect((await dns.query(host, 'A')).records.map(({ text }) => text)).toEqual([ip]);
  await expect(dns.query(`${'a'.repeat(64)}.example`, 'A')).rejects.toThrow('not a name');
  const options = { userAgent: 'test', ehloName: 'test', signal: AbortSignal.timeout(5000) };
  const network = createAuditNetwork({
    ...options,
    dnsServers: servers.slice(0, 1),
    limits: { fetchMs: 100 },
  });
  await expect(network.fetch(`https://${host}/`)).rejects.toThrow('no response in time');
  forger.close();
});

test.each<[string, (socket: Socket) => void, string]>([
  ['never ends its greeting', socket => void socket.write('220-x\r\n'.repeat(5000)), 'endless reply'],
  ['closes after the greeting', socket => void socket.end('220 x\r\n'), 'closed'],
  ['refuses', socket => void socket.end('554 \x1b[2J\r\n'), 'answered 554'],
  ['is silent', () => undefined, 'no response in time'],
])('a mail server that %s', async (_, greet, message) => {
  await using server = await listen(createServer(greet));
  await expect(createNetwork(server.port, server.dns).smtpHello(host)).rejects.toThrow(message);
});

test('a certificate with hostile names is reported as wrong, in harmless text', async () => {
  const authority = createAuthority('\x1b]0;title\x07\u202e<script>');
  const hosts = [
    `${host}\0.evil.example`,
    `\x1b[2J\r\n${host}`,
    ...Array.from({ length: 1000 }, (_, at) => `a${at}.example`),
  ];
  await using server = await listen(createTlsServer(authority.issue({ hosts })));
  const deps = {
    ...{
      checks: [webCertificate],
      grading: { weights: {}, grades: [], caps: {} },
      clock: { now: () => new Date() },
    },
    createNetwork: (signal: AbortSignal) => createNetwork(server.port, server.dns, signal, authority.cert),
  };
  const [, event] = await Array.fromAsync(runAudit(deps, host));
  expect(event).toMatchObject({ result: { finding: 'wrong-name' } });
  // Control characters in names are escaped by Node (as visible text), all others by us.
  expect(JSON.stringify(event)).not.toMatch(/[^\\]\\u00|[^\\]\\[rn]|\u202e/);
  expect(JSON.stringify(event).length).toBeLessThan(2000);
});

async function listen(server: Server) {
  const dns = await createDnsServer({ [host]: { A: [ip] } });
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    dns: dns.address,
    async [Symbol.asyncDispose]() {
      server.close();
      await dns[Symbol.asyncDispose]();
    },
  };
}

function createNetwork(port: number, dns: string, signal = new AbortController().signal, root?: string) {
  return createAuditNetwork({
    ...{ userAgent: 'test', ehloName: 'localhost', signal, limits: { fetchMs: 300, connectionGapMs: 0 } },
    dnsServers: [parseDnsServer(dns)],
    policy: {
      isAllowedAddress: one => one === ip,
      ports: { 443: port, 80: port, 25: port },
      connect: ({ port }) => connect(port, '127.0.0.1'),
      trustedRoots: root ? [root] : undefined,
    },
  });
}
