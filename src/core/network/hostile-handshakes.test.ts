import { connect } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { createAuthority } from '../../../tests/fakes/certificate.ts';
import { createDnsServer, type Zone } from '../../../tests/fakes/dns-server.ts';
import { createDiffieHellman, createLongChain, listenLocally } from '../../../tests/fakes/hostile-servers.ts';
import { createSmtpServer } from '../../../tests/fakes/smtp-server.ts';
import { createFloodServer, type Flood } from '../../../tests/fakes/tls-flood.ts';
import { mailStarttls } from '../../features/audit/checks/mail-starttls.ts';
import { runAudit } from '../../features/audit/run-audit.ts';
import { createAuditNetwork } from './create-network.ts';
import { parseDnsServer } from './dns-transport.ts';
import type { NetworkLimits } from './limits.ts';

const host = 'good.example';
const ip = '127.0.0.2';
const authority = createAuthority();
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

test('finite-field Diffie-Hellman, whose numbers the server chooses, is offered neither to browsers’ servers nor to mail servers', async () => {
  const diffieHellman = createDiffieHellman(host);
  const port = await listenLocally(createTlsServer(diffieHellman), stack);
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
  const network = await createNetwork({
    443: await listenLocally(createTlsServer(createLongChain(host)), stack),
  });
  await expect(network.handshake({ host })).rejects.toThrow('more than 10 certificates');
});

test.each<Flood>(['empty records', 'new keys'])('a flood of %s is ended after some bytes', async flood => {
  const server = createFloodServer(authority.issue({ hosts: [host] }), flood, 4000);
  const ports = { 443: await listenLocally(server, stack) };
  const network = await createNetwork(ports, undefined, { connectionBytes: 20_000 });
  // Otherwise it would last as long as a fetch may: 'timeout'.
  await expect(network.fetch(`https://${host}/`)).rejects.toMatchObject({ kind: 'refused' });
});

test('thousands of records of one name are not decoded', async () => {
  const TXT = Array.from({ length: 1000 }, (_, at) => `record ${at}`);
  const network = await createNetwork({}, { [host]: { TXT } });
  await expect(network.dns.query(host, 'TXT')).rejects.toThrow('more than 300 records');
});

async function createNetwork(
  ports: Partial<Record<443 | 25, number>>,
  zone: Zone = { [host]: { A: [ip] } },
  limits: Partial<NetworkLimits> = {},
) {
  const dns = await createDnsServer(zone);
  stack.use(dns);
  return createAuditNetwork({
    ...{ userAgent: 'test', ehloName: 'localhost', signal: new AbortController().signal },
    ...{ limits: { connectionGapMs: 0, ...limits }, dnsServers: [parseDnsServer(dns.address)] },
    policy: {
      isAllowedAddress: one => one === ip,
      ports: { 443: 443, 80: 80, 25: 25, ...ports },
      connect: ({ port }) => connect(port, '127.0.0.1'),
      trustedRoots: [authority.cert],
    },
  });
}
