import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGoogleScript, createReceiverAt } from './fakes/google-script.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { attempt, samplePayload } from './harness/sample-payload.ts';
import { root, testConfig } from './harness/site.ts';

const script = readFileSync(join(root, 'deploy/google-sheet.gs'), 'utf8');
const withSecret = (secret: string) => script.replace("SECRET = ''", `SECRET = '${secret}'`);
const columns = ['Received', 'Name', 'Email', 'Service', 'Message', 'Reference'];

const google = await disposeAfterAll(createGoogleScript(withSecret('sesame')));

function connect(secret: string, fake = google) {
  const { sheet } = testConfig({
    SHEET_URL: `https://script.google.com/macros/s/AKfy/exec?secret=${secret}`,
  });
  if (sheet.kind === 'file') throw new Error('no sheet service');
  return createReceiverAt(fake, sheet);
}

test('the script stores a message once, as text, and confirms it; the client follows its redirect', async () => {
  const receiver = connect('sesame');
  const message = { ...samplePayload, message: '=IMPORTXML("https://example.com")' };
  expect(await receiver.find?.(message, attempt.signal)).toBe(false);
  for (const _ of [1, 2]) expect(await receiver.deliver(message, attempt)).toEqual({ kind: 'delivered' });
  const { receivedAt, name, email, reference } = message;
  expect(google.cells).toEqual([columns, [receivedAt, name, email, '', `'${message.message}`, reference]]);
  expect(await receiver.find?.(message, attempt.signal)).toBe(true);
  expect(google.requests.map(({ method, url }) => `${method} ${url.pathname}`).slice(2, 4)).toEqual([
    ...['POST /macros/s/AKfy/exec', 'GET /answer/1'],
  ]);
});

test('a column that the owner renamed is added again; a formula in it stays text', async () => {
  await using own = await createGoogleScript(withSecret('sesame'));
  own.cells.push(['Name', 'Notes', 'Reference']);
  await connect('sesame', own).deliver(samplePayload, attempt);
  expect(own.cells[0]).toEqual(['Name', 'Notes', 'Reference', 'Received', 'Email', 'Service', 'Message']);
  expect(own.cells[1]?.slice(0, 3)).toEqual([samplePayload.name, '', samplePayload.reference]);
  const body = JSON.stringify({ Name: '=1+1', Reference: 'B' });
  await fetch(`${own.origin}/?secret=sesame`, { method: 'POST', body, redirect: 'manual' });
  expect(own.cells[2]?.[0]).toBe('=1+1');
});

test.each([
  ['sesame', 'another'],
  ['', ''],
])(
  "the script with the secret '%s' refuses '%s', stores nothing, and the sheet is paused",
  async (own, given) => {
    await using guarded = await createGoogleScript(withSecret(own));
    expect(await connect(given, guarded).deliver(samplePayload, attempt)).toEqual({
      kind: 'misconfigured',
      failure: { code: 'wrong-secret', setting: 'SHEET_URL' },
    });
    expect(await connect(given, guarded).find?.(samplePayload, attempt.signal)).toBe(false);
    expect(guarded.cells).toEqual([]);
  },
);
