import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { attempt, samplePayload } from '../../../tests/harness/sample-payload.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { withReason } from '../../../tests/harness/with-reason.ts';
import type { OwnerReceiver } from '../../features/messages/payloads.ts';
import { createMailReceiver } from '../../features/messages/receivers/mail-receiver.ts';
import { createMailCopies } from './mail-copies.ts';

let dataDir: string;
let folder: string;
let mail: OwnerReceiver;
beforeEach(() => {
  dataDir = createTempFolder();
  folder = join(dataDir, 'mail');
  const settings = { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 5 };
  mail = createMailReceiver(settings, { dataDir });
});

test('without a mail server each mail is one complete file that only its owner can read, and a lookup finds', async () => {
  expect(mail).toMatchObject({ destination: folder, isIdempotent: true });
  expect(await mail.find?.(samplePayload, attempt.signal)).toBe(false);
  for (const _ of [1, 2]) expect(await mail.deliver(samplePayload, attempt)).toEqual({ kind: 'delivered' });
  expect(await mail.find?.(samplePayload, attempt.signal)).toBe(true);
  expect(readdirSync(folder)).toEqual(['2026-01-02T030405-ABCDE-FGHJK.eml']);
  const file = join(folder, '2026-01-02T030405-ABCDE-FGHJK.eml');
  expect(readFileSync(file, 'utf8')).toMatch(
    /To: owner@localhost\r\n.*Message-ID: <ABCDE-FGHJK@localhost>\r\n.*\| Hello\r\n$/s,
  );
  if (process.platform === 'win32') return;
  expect([folder, file].map(path => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
});

test('a folder that cannot be written to is a failure, and a lookup is inconclusive', async () => {
  writeFileSync(folder, 'a file in its place');
  const reason = `${folder} cannot be written to (EEXIST)`;
  expect(withReason(await mail.deliver(samplePayload, attempt))).toEqual({
    kind: 'retry',
    reason,
    isAmbiguous: false,
  });
  await expect(mail.find?.(samplePayload, attempt.signal)).rejects.toThrow('ENOTDIR');
});

test('a mail is found and erased by an address in its text, also in base64', async () => {
  const words = '日本語の本文。'.repeat(50);
  const message = `${words} ann@example.com ${words}`;
  await mail.deliver({ ...samplePayload, message }, attempt);
  const [name = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, name), 'latin1')).not.toContain('ann@example.com');

  const copies = createMailCopies(dataDir);
  const search = {
    references: new Set<string>(),
    belongsToPerson: () => false,
    mentions: (text: string) => text.includes('ann@example.com'),
  };
  expect(await copies.find(search)).toMatchObject([{ kind: 'mail', reference: 'ABCDE-FGHJK' }]);
  const erasure = { ...search, upTo: '2026-02-01T00:00:00.000Z', redact: (text: string) => text };
  expect(await copies.erase(erasure)).toEqual({ mails: 1, temporaryFiles: 0 });
  expect(readdirSync(folder)).toEqual([]);
});
