import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMailCopies } from './mail-copies.ts';
import { createMailReceiver } from './mail-receiver.ts';

test('a mail is found and erased by an address in its text, also in base64', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-mail-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const settings = { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 5 };
  const payload = {
    ...({ kind: 'message', reference: 'ABCDE-FGHJK', receivedAt: '2026-01-02T03:04:05.678Z' } as const),
    ...{ name: '', email: 'other@example.com', service: '' },
    message: `${'日本語の本文。'.repeat(50)} zoe@example.com ${'日本語の本文。'.repeat(50)}`,
  };
  const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };
  await createMailReceiver(settings, { dataDir }).deliver(payload, attempt);
  const [name = ''] = readdirSync(join(dataDir, 'mail'));
  expect(readFileSync(join(dataDir, 'mail', name), 'latin1')).not.toContain('zoe@example.com');

  const copies = createMailCopies(dataDir);
  const search = {
    references: new Set<string>(),
    isTheirs: () => false,
    mentions: (text: string) => text.includes('zoe@example.com'),
  };
  expect(await copies.find(search)).toMatchObject([{ kind: 'mail', reference: 'ABCDE-FGHJK' }]);
  const erasure = { ...search, upTo: '2026-02-01T00:00:00.000Z', redact: (text: string) => text };
  expect(await copies.erase(erasure)).toEqual({ mails: 1, remains: 0 });
  expect(readdirSync(join(dataDir, 'mail'))).toEqual([]);
});
