import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSite } from '../src/apps/content.ts';
import type { CheckContext } from '../src/apps/server/launch/context.ts';
import { type CheckReport, loadChecks, runChecks } from '../src/apps/server/launch/run-checks.ts';
import type { State } from '../src/core/launch/check.ts';
import { createOwnerNetwork } from '../src/core/network/owner-network.ts';
import { makeCertificate } from './fakes/certificate.ts';
import { createDnsServer, type DnsServer, type Zone } from './fakes/dns-server.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { collectLog, root, testConfig, wireSite } from './harness/site.ts';

const words = readSite(join(root, 'content'));
const host = 'www.example.com';
const zone: Zone = {
  [host]: { A: ['127.0.0.1'], AAAA: ['::1'] },
  'example.com': {
    TXT: ['some-verification=1', `v=spf1 include:spf.example.org ${'ip4:192.0.2.1 '.repeat(20)}~all`],
    CAA: ['issue example.org', 'iodef mailto:office@example.com'],
  },
  // A policy that only watches is enough.
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] },
  'two.example.com': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] },
  'bare.example.com': {},
  'spf.example.org': { TXT: ['v=spf1 ip4:192.0.2.2 ?all'] },
  'wild.example.com': { A: ['127.0.0.1'], CAA: ['issuewild example.org'] },
};

let folder: string;
let dns: DnsServer;
/** The site behind HTTPS, with a certificate that the process under test trusts. */
let site: ReturnType<typeof createServer>;
let plain: ReturnType<typeof createPlainServer>;
let location = `https://${host}/`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-launch-'));
  dns = await createDnsServer(zone);
  const certificate = makeCertificate({ host });
  writeFileSync(join(folder, 'authority.pem'), certificate.cert);
  site = createServer(certificate, (_, response) =>
    response
      .writeHead(200, { 'strict-transport-security': 'max-age=31536000' })
      .end(`<link href="https://${host}/" rel="canonical"/>`),
  );
  plain = createPlainServer((_, response) => response.writeHead(308, { location }).end());
  for (const server of [site, plain]) await new Promise<void>(open => server.listen(0, '127.0.0.1', open));
});
afterAll(async () => {
  await dns[Symbol.asyncDispose]();
  for (const server of [site, plain]) server.close();
  rmSync(folder, { recursive: true });
});

const portOf = (server: typeof site | typeof plain) => (server.address() as AddressInfo).port;

function states(lines: CheckReport[]): Record<string, State> {
  return Object.fromEntries(lines.map(({ name, state }) => [name, state]));
}

async function look(env: Record<string, string>, more: Partial<CheckContext> = {}): Promise<CheckReport[]> {
  const context = {
    config: testConfig({ DATA_DIR: folder, RATE_LIMIT: 'on', ...env }),
    now: new Date(),
    siteContent: words,
    site: { reason: 'there is no database yet', isBroken: false },
    network: createOwnerNetwork({
      siteUrl: env.SITE_URL,
      dns: { ip: '127.0.0.1', port: Number(dns.address.split(':')[1]) },
      plainPort: portOf(plain),
    }),
    builtAt: undefined,
    outdatedReason: undefined,
    ...more,
  };
  return runChecks(context, await loadChecks());
}

const find = (lines: CheckReport[], name: string) => lines.find(line => line.name === name);

test('the command, before the first start, reports example data and checks DNS and HTTPS, without a database', async () => {
  const env = {
    DATA_DIR: join(folder, 'none'),
    SITE_URL: `https://${host}`,
    NOTIFY_EMAIL: 'office@example.com',
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
  };
  const args = ['--json', '--dns', dns.address, '--connect', `127.0.0.1:${portOf(site)}`];
  const { code, out, err } = await runCommand('src/apps/cli/check-launch.ts', args, env);
  const { isReady, lines }: { isReady: boolean; lines: CheckReport[] } = JSON.parse(out);
  expect([code, isReady]).toEqual([1, false]);
  expect(err).toMatch(/^Error: not ready: /);
  expect(existsSync(join(folder, 'none'))).toBe(false);
  const failed = lines.filter(({ state }) => state === 'failed').map(({ name }) => name);
  const company = [
    'Phone number',
    'Email address',
    'Postal address',
    'Registration details',
    'Governing law',
  ];
  const examples = ['Company name', 'Copyright year', 'Counters', 'Claims', 'Company facts', 'Example posts'];
  const settings = ['Social links', 'Site URL', 'Mail server', 'Notification address', 'Sheet'];
  expect(failed).toEqual(
    expect.arrayContaining([...company, ...examples, ...settings, 'Backups', 'Test message']),
  );
  expect(find(lines, 'Counters')?.detail).toMatch(/'458 .*', '158 .*', '50 .*' are examples/);
  for (const { detail, reason } of lines) expect([detail, reason]).not.toContain('');
  const ready = ['DNS', 'Certificate', 'Site online', 'HSTS', 'SPF', 'DMARC', 'CAA'];
  expect(states(lines)).toMatchObject(Object.fromEntries(ready.map(name => [name, 'ready'])));
  expect(states(lines)['HTTP to HTTPS redirect']).toBe('not checked');
  expect(dns.queries).toContain('CAA example.com');
});

test('says in words what the audit finds in the records of the domain', async () => {
  const two = await look({ NOTIFY_EMAIL: 'office@two.example.com' });
  expect(find(two, 'SPF')).toMatchObject({
    state: 'failed',
    detail: expect.stringMatching(/several SPF records.*v=spf1 -all; v=spf1 ~all/),
  });
  expect(find(two, 'DMARC')?.state).toBe('ready');
  expect(states(await look({ NOTIFY_EMAIL: 'office@example.org' })).DMARC).toBe('failed');
  // Whatever its parent says.
  expect(find(await look({ SITE_URL: 'https://wild.example.com:1' }), 'CAA')).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('none limits who may issue'),
  });
});

test('reports an untrusted certificate, and a domain without an address or without the site', async () => {
  const stateAt = async (siteUrl: string) => states(await look({ SITE_URL: siteUrl }));
  const untrusted = await look({ SITE_URL: `https://${host}:${portOf(site)}` });
  expect(find(untrusted, 'Certificate')?.detail).toContain('issuer: www.example.com');
  // Its canonical URL has no port.
  expect(states(untrusted)).toMatchObject({ Certificate: 'failed', 'Site online': 'failed' });
  expect(states(untrusted)['HTTP to HTTPS redirect']).toBe('ready');
  location = `https://${host}.example.org/`;
  expect(await stateAt(`https://${host}:1`)).toMatchObject({
    ...{ 'Site online': 'failed', Certificate: 'not checked', 'HTTP to HTTPS redirect': 'failed' },
  });
  expect(await stateAt('https://bare.example.com')).toMatchObject({
    ...{ DNS: 'failed', Certificate: 'not checked', CAA: 'ready' },
  });
});

test('a feature that is switched off has no launch checks', async () => {
  const listNames = async (off: string) => (await loadChecks(name => name !== off)).map(({ name }) => name);
  expect(await listNames('')).toEqual(expect.arrayContaining(['Posts', 'Example posts']));
  const left = await listNames('blog');
  for (const name of ['Posts', 'Example posts']) expect(left).not.toContain(name);
});

test('a silent name server does not block the other checks', async () => {
  await using silent = await createDnsServer(undefined);
  const env = { SITE_URL: `https://${host}`, NOTIFY_EMAIL: 'office@example.com' };
  const resolver = { ip: '127.0.0.1', port: Number(silent.address.split(':')[1]) };
  const network = createOwnerNetwork({ siteUrl: env.SITE_URL, dns: resolver, timeoutMs: 300 });
  const found = states(await look(env, { network }));
  for (const name of ['DNS', 'Certificate', 'SPF', 'DMARC', 'CAA'])
    expect(found[name], name).toBe('not checked');
});

test.each(databaseUnderTest)(
  'reports backups, test messages, receivers and disk space on $name',
  async ({ create }) => {
    await using database = await create();
    await using wired = await wireSite(testConfig(database.env), collectLog());
    const { receivers, schedule } = wired.store;
    const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
    const data = ['Backups', 'Test message', 'Receivers', 'Disk space'];
    const lookAt = async (site = wired) => {
      const lines = await look(database.env, { site, builtAt: at(5) });
      return data.map(name => find(lines, name)?.state);
    };
    expect(await lookAt()).toEqual(['failed', 'failed', 'ready', 'ready']);
    expect(await lookAt({ ...wired, checkDiskSpace: async () => '1 MB of disk space are free' })).toEqual([
      ...['failed', 'failed', 'ready', 'failed'],
    ]);
    await schedule.recordRun('backup', at(8).toISOString());
    await schedule.recordRun('test-message', at(6).toISOString());
    await receivers.pause('sheet', 'answered 401', at(1).toISOString());
    expect(await lookAt()).toEqual(['failed', 'failed', 'failed', 'ready']);
    await schedule.recordRun('backup', at(7).toISOString());
    await schedule.recordRun('test-message', at(4).toISOString());
    await receivers.resume('sheet');
    expect(await lookAt()).toEqual(['ready', 'ready', 'ready', 'ready']);
  },
);

test('a site whose examples are all replaced has only what a running site proves left', async () => {
  const { content, posts = [] } = words;
  if (!content) throw new Error('content/ has errors');
  // A reserved domain that is not one of the example domains.
  const home = 'wardhouse.home.arpa';
  const company = {
    ...content.company,
    ...{ phone: '+44 20 7000 0000', email: `hello@${home}`, address: ['The Ward House'], addressNote: null },
    registration: { number: '1', place: 'a place', office: 'an office', vat: '1' },
    governingLaw: 'a law',
  };
  const brand = {
    ...content.brand,
    ...{ name: 'Fenwick', logoText: 'Fenwick', legalName: 'Fenwick', copyrightYear: '2020 to now' },
    show: { ...content.brand.show, counters: false },
    social: [{ label: 'a', url: `https://a.${home}/` }],
  };
  const own = {
    ...{ ...content, brand, company },
    home: { ...content.home, intro: { ...content.home.intro, points: [] } },
    contact: {
      ...content.contact,
      about: { ...content.contact.about, text: [] },
      work: { ...content.contact.work, text: [] },
    },
  };
  const env = {
    SITE_URL: `https://${home}`,
    SMTP_URL: 'smtp://localhost:1025',
    NOTIFY_EMAIL: `office@${home}`,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const drafts = posts.map(post => ({ ...post, isDraft: true }));
  const lines = await look(env, { siteContent: { ...words, content: own, posts: drafts } });
  const left = lines.filter(({ state }) => state === 'failed').map(({ name }) => name);
  expect(left).toEqual(['Sheet', 'Backups', 'Test message', 'DNS', 'CAA', 'SPF', 'DMARC']);
});

test.each([
  ['hello@wardhouse.home.arpa', 31, 'ready', /^it names hello@wardhouse\.home\.arpa until \d{4}-/],
  ['hello@example.com', 31, 'failed', /an example; set email or securityContact/],
  ['hello@wardhouse.home.arpa', 29, 'failed', /^it expires on .* npm run publish-site/],
])(
  'a security.txt of %s with %d days left is %s, on a static host as well',
  async (address, days, state, found) => {
    const now = new Date();
    const expires = new Date(now.getTime() + days * 86_400_000).toISOString();
    const securityTxt = `Contact: mailto:${address}\nExpires: ${expires}\n`;
    const env = { CONTACT_ENDPOINT: 'https://sheets.example.com/1' };
    const line = find(await look(env, { now, builtAt: now, securityTxt }), 'security.txt');
    expect(line).toMatchObject({ state, level: 'required' });
    expect(`${line?.detail}; ${line?.advice}`).toMatch(found);
  },
);
