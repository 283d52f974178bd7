import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { findUnmanagedFiles } from './unmanaged-files.ts';

test('an address is found anywhere in a file, also across chunk boundaries', async () => {
  const folder = createTempFolder();
  const [file, other] = [join(folder, 'list.csv'), join(folder, 'other.csv')];
  const part = 1 << 20;
  for (const before of [0, part - 8, part, 2 * part - 3]) {
    writeFileSync(file, `${'x'.repeat(before)} ann@example.com`);
    writeFileSync(other, 'x'.repeat(before));
    const mentions = (text: string) => text.includes('ann@example.com');
    const found = await findUnmanagedFiles(folder, () => false, { mentions });
    expect(found.map(({ path }) => path)).toEqual([file]);
  }
});

test.each([
  ['in base64 and another character set', 'base64', 'utf-16le', 'utf16le'],
  ['in quoted-printable', 'quoted-printable', 'utf-8', 'utf8'],
] as const)('an address is found in a mail and in a mailbox %s', async (_, encoding, charset, written) => {
  const folder = createTempFolder();
  const bytes = Buffer.from(`${'x'.repeat(200)}\nann@example.com`, written);
  const body =
    encoding === 'base64'
      ? bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
      : bytes.toString('latin1').replace('ann@', 'an=\r\nn=40');
  const mail = (text: string) =>
    `Subject: A\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${text}\r\n`;
  writeFileSync(join(folder, 'found.eml'), mail(body));
  const from = 'From eve@example.com Thu Nov 19 20:00:00 2026\r\n';
  writeFileSync(join(folder, 'found.mbox'), `${from}${mail('')}\r\n${from}${mail(body)}`);
  writeFileSync(join(folder, 'other.eml'), mail(''));
  const mentions = (text: string) => text.includes('ann@example.com');
  const found = await findUnmanagedFiles(folder, () => false, { mentions });
  expect(found.map(({ path }) => basename(path)).sort()).toEqual(['found.eml', 'found.mbox']);
});

test.each(['7bit', 'base64'])(
  'an address is found in a mail that is attached to another in %s',
  async encoding => {
    const folder = createTempFolder();
    const toBase64 = (text: string) => Buffer.from(text).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    const body = toBase64(`${'x'.repeat(200)} ann@example.com`);
    const inner = `Subject: A\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
    const lines = [
      'Subject: B\r\nContent-Type: multipart/mixed; boundary=b\r\n',
      '--b\r\nContent-Type: message/rfc822; name=a.eml',
      `Content-Disposition: attachment; filename=a.eml\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
      encoding === 'base64' ? toBase64(inner) : inner,
      '--b--\r\n',
    ];
    writeFileSync(join(folder, 'found.eml'), lines.join('\r\n'));
    const mentions = (text: string) => text.includes('ann@example.com');
    expect(await findUnmanagedFiles(folder, () => false, { mentions })).toHaveLength(1);
  },
);
