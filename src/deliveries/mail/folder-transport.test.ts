import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readMail } from '../../../tests/fakes/received-mail.ts';
import type { MessagePayload } from '../delivery.ts';
import { createMailReceiver } from './mail-receiver.ts';

const payload: MessagePayload = {
  kind: 'message',
  reference: 'ABCDE-FGHJK',
  receivedAt: '2026-01-02T03:04:05.678Z',
  name: 'Zoë',
  email: 'zoe@example.com',
  message: 'Hello',
  service: '',
};
const attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };

describe('without a mail server', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-mail-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const folder = () => join(dataDir, 'mail');
  const create = () =>
    createMailReceiver(
      { smtp: undefined, from: 'website@localhost', to: 'owner@localhost', perSecond: 5 },
      { dataDir },
    );

  test('each mail is a complete file that only its owner can read', async () => {
    const mail = create();
    expect(mail.destination).toBe(folder());
    expect(await mail.deliver(payload, attempt)).toEqual({ kind: 'delivered' });
    expect(readdirSync(folder())).toEqual(['2026-01-02T030405-ABCDE-FGHJK.eml']);
    const file = join(folder(), '2026-01-02T030405-ABCDE-FGHJK.eml');
    const { header, text } = readMail({ from: '', to: [], raw: readFileSync(file) });
    expect(header('To')).toBe('owner@localhost');
    expect(header('Message-ID')).toBe('<ABCDE-FGHJK@localhost>');
    expect(text).toContain('| Hello\n');
    if (process.platform === 'win32') return;
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a retry replaces the file, which a lookup finds', async () => {
    const mail = create();
    expect(mail.isIdempotent).toBe(true);
    expect(await mail.find?.(payload, attempt.signal)).toBe(false);
    await mail.deliver(payload, attempt);
    await mail.deliver(payload, attempt);
    expect(readdirSync(folder()).length).toBe(1);
    expect(await mail.find?.(payload, attempt.signal)).toBe(true);
    expect(await mail.find?.({ ...payload, reference: 'OTHER-ONE00' }, attempt.signal)).toBe(false);
  });

  test('no reference is a path outside the folder', async () => {
    await create().deliver({ ...payload, reference: '../../x' }, attempt);
    expect(readdirSync(folder())).toEqual(['2026-01-02T030405-..%2F..%2Fx.eml']);
  });

  test('a folder that cannot be written to is a failure, and a lookup is inconclusive', async () => {
    writeFileSync(folder(), 'a file in its place');
    const mail = create();
    const why = `${folder()} cannot be written to (EEXIST)`;
    expect(await mail.deliver(payload, attempt)).toEqual({ kind: 'retry', why, isAmbiguous: false });
    await expect(mail.find?.(payload, attempt.signal)).rejects.toThrow('ENOTDIR');
  });
});
