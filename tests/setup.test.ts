import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runSetup } from '../src/apps/cli/setup/run-setup.ts';
import { readConfig } from '../src/apps/server/config.ts';
import { createOwnerDns } from '../src/core/network/owner-network.ts';
import { receiverChecks } from '../src/features/messages/receivers/receiver-checks.ts';
import { createDnsServer } from './fakes/dns-server.ts';
import { createGoogleScript, createReceiverAt } from './fakes/google-script.ts';
import { createSheetService } from './fakes/sheet-service.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { runCommand } from './harness/command.ts';
import { root } from './harness/site.ts';

vi.setConfig({ testTimeout: 60_000 });

const [enter, down, ctrlC] = ['\r', '\u001b[B', '\u0003'];
const password = 'p@ss/w#rd';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-setup-test-'));
  cpSync(join(root, 'content'), join(folder, 'content'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const shipped = (file: string) => readFileSync(join(root, file), 'utf8');
const files = ['content/company.yaml', 'content/brand/brand.yaml'];

type Step = [question: string, keys: string | ((output: string) => string)];

/** Waits for each question in turn, and types its answer; whatever else is asked gets Enter. */
async function setUp(steps: Step[], checks = receiverChecks) {
  await using dns = await createDnsServer({
    'www.wardhouse.home.arpa': { A: ['127.0.0.1'] },
    'wardhouse.home.arpa': { MX: ['mail.wardhouse.home.arpa'], TXT: ['v=spf1 -all'] },
  });
  const [address = '', port] = dns.address.split(':');
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 200 });
  let [text, position, isAnswered] = ['', 0, false];
  const left = [...steps];
  output.on('data', chunk => {
    text += stripVTControlCharacters(String(chunk));
    const submitted = isAnswered && /◇ {2}/.exec(text.slice(position));
    if (submitted) {
      position += submitted.index + 1;
      isAnswered = false;
    }
    // A question is asked again, with ▲, after an invalid answer.
    const asked = (isAnswered ? /▲ {2}(.*)\n/ : /◆ {2}(.*\?.*|Password.*)\n/).exec(text.slice(position));
    if (!asked) return;
    [position, isAnswered] = [text.length, true];
    const [question, keys] = left[0] ?? ['', ''];
    const isNext = question && asked[1]?.includes(question);
    if (isNext) left.shift();
    const typed = isNext ? (typeof keys === 'function' ? keys(text) : keys) : '';
    setImmediate(() => input.write(typed === ctrlC ? ctrlC : typed + enter));
  });
  const answers = createOwnerDns({ ip: address, port: Number(port) });
  const ended = await runSetup({ folder, streams: { input, output }, dns: answers, checks });
  expect(left).toEqual([]);
  return { ended, text };
}

test('tests the answers, explains failures, and saves content and settings with everything else in place', async () => {
  await using smtp = await createSmtpServer({ login: { user: 'site', password } });
  await using sheet = await createSheetService();
  writeFileSync(join(folder, '.env'), '# my settings\nPORT=8080 # behind Caddy\nSITE_URL=\n', {
    mode: 0o644,
  });
  const { text } = await setUp([
    ['company called', 'Fenwick & Hale'],
    ['phone number', '020 7000 0000'],
    ['email address', 'hello@nowhere.home.arpa'],
    ['What would you like to do', ''],
    ['email address', 'hello@wardhouse.home.arpa'],
    ['postal address', '1 High Street, London: N1'],
    ['Which address will', 'www.nowhere.home.arpa'],
    ['What would you like to do', down + down],
    ['How should the site send mail', down],
    ['host name', '127.0.0.1'],
    ['Which port', String(smtp.port)],
    ['user name', 'site'],
    ['Password', 'wrong'],
    ['What would you like to do', ''],
    ['Password', password],
    ['Who should get a mail', ''],
    ['From which address', 'website@nowhere.home.arpa'],
    ['What would you like to do', down],
    ['Where should messages', down + down],
    ['address of the sheet service', sheet.url],
    ['Save this', ''],
  ]);
  for (const problem of [
    'DNS has no mail server for nowhere.home.arpa: check the spelling',
    'DNS has no address for www.nowhere.home.arpa: check the spelling',
    '127.0.0.1 did not accept the login (answered 535 5.7.8 to the login): check user and password',
    'Mail from website@nowhere.home.arpa may be treated as spam',
  ])
    expect(text).toContain(problem);
  for (const secret of [password, encodeURIComponent(password), 'wrong']) expect(text).not.toContain(secret);
  expect(sheet.rows).toMatchObject([
    { Name: 'Test message', Message: expect.stringContaining('npm run setup') },
  ]);
  expect(smtp.mails).toEqual([]);
  expect(read('.env')).toBe(
    [
      '# my settings\nPORT=8080 # behind Caddy\nSITE_URL=',
      `SMTP_URL=smtp://site:${encodeURIComponent(password)}@127.0.0.1:${smtp.port}`,
      'NOTIFY_EMAIL=hello@wardhouse.home.arpa\nMAIL_FROM=website@nowhere.home.arpa',
      `SHEET_URL=${sheet.url}\n`,
    ].join('\n'),
  );
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  expect(read('content/brand/brand.yaml')).toBe(
    shipped('content/brand/brand.yaml').replace(/^(name|logoText): Wardhouse$/gm, '$1: Fenwick & Hale'),
  );
  for (const line of ['phone: "020 7000 0000"', 'email: hello@wardhouse.home.arpa', '  - "London: N1"'])
    expect(read('content/company.yaml')).toContain(`\n${line}\n`);

  const [env, company] = [read('.env'), read('content/company.yaml')];
  expect((await setUp([])).text).toMatch(/accepts the login[\s\S]*Nothing was changed/);
  expect([read('.env'), read('content/company.yaml')]).toEqual([env, company]);
  expect(sheet.rows).toHaveLength(1);
});

test('answers have the errors of content and settings, and a name that breaks a page is refused', async () => {
  const again = '\u007f'.repeat(80);
  const { text, ended } = await setUp([
    ['company called', 'Northumberland Cyber Security Partners'],
    ['What would you like to do', down + down],
    ['phone number', 'call us'],
    ['phone number', `${again}020 7000 0000`],
    ['email address', 'me'],
    ['email address', `${again}me@wardhouse.home.arpa`],
    ['Which address will', 'ftp://wardhouse'],
    ['Which address will', ctrlC],
  ]);
  expect(text).toContain("phone is 'call us', expected digits and spaces such as 020 7946 0123");
  expect(text).toContain("email is 'me', expected an email address");
  expect(text).toContain(
    "SITE_URL is 'ftp://wardhouse', expected an address such as https://www.example.com",
  );
  expect(text).toMatch(/cannot be published \(content\/\S+ line \d+: title is \d+ characters/);
  expect([ended, text.includes('Cancelled. Nothing was changed.')]).toEqual(['cancelled', true]);
  for (const file of files) expect(read(file)).toBe(shipped(file));
  expect(existsSync(join(folder, '.env'))).toBe(false);
});

test('a Google Sheet is connected with the script and the address that Google shows', async () => {
  let google: Awaited<ReturnType<typeof createGoogleScript>> | undefined;
  await using cleanUp = new AsyncDisposableStack();
  const checks: typeof receiverChecks = {
    ...receiverChecks,
    createSheetReceiver(settings) {
      if (!google) throw new Error('the script was not pasted');
      return createReceiverAt(google, settings);
    },
  };
  let pastedSecret = '';
  // Shared with the group of the service, as docs/engineer/deploy.md says.
  writeFileSync(join(folder, '.env'), 'LOG_LEVEL=warn', { mode: 0o640 });
  const { text } = await setUp(
    [
      ['Where should messages', down],
      ['Web app URL', 'https://docs.google.com/spreadsheets/d/1/edit'],
      [
        'Web app URL',
        output => {
          const [line = '', secret = ''] = /const SECRET = '(\S+)';/.exec(output) ?? [];
          pastedSecret = secret;
          const script = shipped('deploy/google-sheet.gs').replace("const SECRET = '';", line);
          void createGoogleScript(script).then(made => {
            google = cleanUp.use(made);
          });
          return `${'\u007f'.repeat(80)}https://script.google.com/macros/s/AKfy/exec`;
        },
      ],
      ['Save this', ''],
    ],
    checks,
  );
  expect(text).toContain('expected the Web app URL that Google shows after Deploy');
  expect(text).toMatch(/took a test row .* read back/);
  expect(google?.cells.map(([, name]) => name)).toEqual(['Name', 'Test message']);
  const url = `https://script.google.com/macros/s/AKfy/exec?secret=${pastedSecret}`;
  expect(read('.env')).toBe(`LOG_LEVEL=warn\nSHEET_URL=${url}\n`);
  expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o640);
  expect(readConfig({ SHEET_URL: url })).toMatchObject({
    config: { sheet: { adapter: { kind: 'script' } } },
  });
});

test('without a terminal it says what to do, and its help explains it', async () => {
  const { code, err } = await runCommand('src/apps/cli/setup.ts', [], {});
  expect([code, err]).toEqual([1, expect.stringMatching(/^Error: .*not a terminal\.\n.*\.env\.example/)]);
  expect((await runCommand('src/apps/cli/setup.ts', ['--help'], {})).out).toContain(
    'Run it again at any time',
  );
});
