import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../../../tests/fakes/certificate.ts';
import { createDnsServer, type Zone } from '../../../tests/fakes/dns-server.ts';
import { createSmtpServer } from '../../../tests/fakes/smtp-server.ts';
import { mailStarttls } from '../checks/mail-starttls.ts';
import { runAudit } from '../run-audit.ts';
import { createAuditNetwork } from './create-network.ts';
import { parseDnsServer } from './dns-transport.ts';

const host = 'good.example';
const ip = '127.0.0.2';
const authority = createAuthority();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const certificate = authority.issue({ hosts: [host], keys: rsa });
const diffieHellman: TlsOptions = {
  ...certificate,
  ...{ dhparam: createParameters(10_000), maxVersion: 'TLSv1.2', ciphers: 'DHE-RSA-AES128-GCM-SHA256' },
};

test('finite-field Diffie-Hellman, whose numbers the server chooses, is offered neither to browsers’ servers nor to mail servers', async () => {
  const port = await listen(createTlsServer(diffieHellman));
  const web = await createNetwork({ 443: port });
  const started = process.cpuUsage();
  await expect(web.handshake({ host, minVersion: 'TLSv1' })).rejects.toThrow('HANDSHAKE_FAILURE');
  await using mail = await createSmtpServer({ encryption: 'starttls', tls: diffieHellman });
  const network = await createNetwork({ 25: mail.port }, { [host]: { A: [ip], MX: [`10 ${host}`] } });
  const deps = {
    checks: [mailStarttls],
    grading: { weights: {}, grades: [], caps: {} },
    clock: { now: () => new Date() },
  };
  const [, event] = await Array.fromAsync(runAudit({ ...deps, createNetwork: () => network }, host));
  expect(event).toMatchObject({ result: { status: 'not-measurable' } });
  expect(JSON.stringify(event)).toContain('HANDSHAKE_FAILURE');
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(400);
});

test('a chain of 72 certificates is not read', async () => {
  const chain = Array.from({ length: 71 }, () => authority.issue({ hosts: [host] }).cert);
  const { key, cert } = authority.issue({ hosts: [host] });
  const network = await createNetwork({
    443: await listen(createTlsServer({ key, cert: cert + chain.join('') })),
  });
  await expect(network.handshake({ host })).rejects.toThrow('more than 10 certificates');
});

test('thousands of records of one name are not decoded', async () => {
  const TXT = Array.from({ length: 1000 }, (_, at) => `record ${at}`);
  const network = await createNetwork({}, { [host]: { TXT } });
  await expect(network.dns.query(host, 'TXT')).rejects.toThrow('more than 300 records');
});

function createParameters(bits: number): string {
  const prime = randomBytes(bits / 8);
  prime[0] = 0x7f;
  prime[prime.length - 1] = 0xff;
  const integer = (bytes: Buffer) =>
    Buffer.concat([Buffer.from([2, 0x82, bytes.length >> 8, bytes.length & 0xff]), bytes]);
  const content = Buffer.concat([integer(prime), Buffer.from([2, 1, 2])]);
  const whole = Buffer.concat([
    Buffer.from([0x30, 0x82, content.length >> 8, content.length & 0xff]),
    content,
  ]);
  return `-----BEGIN DH PARAMETERS-----\n${whole.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END DH PARAMETERS-----\n`;
}

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function createNetwork(ports: Partial<Record<443 | 25, number>>, zone: Zone = { [host]: { A: [ip] } }) {
  const dns = await createDnsServer(zone);
  onTestFinished(() => dns[Symbol.asyncDispose]());
  return createAuditNetwork({
    ...{ userAgent: 'test', ehloName: 'localhost', signal: new AbortController().signal },
    ...{ limits: { connectionGapMs: 0 }, dnsServers: [parseDnsServer(dns.address)] },
    policy: {
      isAllowedAddress: one => one === ip,
      ports: { 443: 443, 80: 80, 25: 25, ...ports },
      connect: ({ port }) => connect(port, '127.0.0.1'),
      trustedRoots: [authority.cert],
    },
  });
}
