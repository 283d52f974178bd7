import { expect, test } from 'vitest';
import { newMessage } from '../../tests/harness/sample-message.ts';
import { formatDigest } from './digest.ts';

const quarantined = (about: Parameters<typeof newMessage>[0]) =>
  newMessage({ reference: 'AAAAA-BBBBB', state: 'quarantined', quarantine_reason: 'flood', ...about });

test('names each message by reference, time, reason and sender, and the command that releases it', () => {
  const { title, text } = formatDigest([quarantined({ message: 'Please call.' })], 1);
  expect(title).toBe('Website: 1 message in quarantine');
  expect(text).toContain(
    [
      'AAAAA-BBBBB  2026-01-02T03:04:05.678Z  flood',
      '  From: Zoë, zoe@example[.]com',
      '  > Please call.',
      '  npm run inbox -- release AAAAA-BBBBB',
    ].join('\n'),
  );
});

test('shows the first 200 characters, on one line', () => {
  const { text } = formatDigest([quarantined({ message: `one\r\n\u202etwo\u2028${'👩'.repeat(300)}` })], 1);
  expect(text).toContain(`  > one two ${'👩'.repeat(192)}\n`);
  expect(formatDigest([quarantined({ name: '\n', email: '', message: '' })], 1).text).toContain(
    '  From: (no sender)\n  > (no text)\n',
  );
});

test.each([
  ['https://evil.example/a.b', 'hxxps[:]//evil[.]example/a[.]b'],
  ['HTTP:evil.example', 'hxxP:evil[.]example'],
  ['ftp://evil.example', 'ftp[:]//evil[.]example'],
  ['www.evil.example, 192.0.2.1', 'www[.]evil[.]example, 192[.]0[.]2[.]1'],
  ['ma\u0308.example 💩.example evil。example', 'ma\u0308[.]example 💩[.]example evil[.]example'],
  ['The end. Or... not', 'The end. Or... not'],
])('does not turn %j into a link', (message, defused) => {
  const { text } = formatDigest([quarantined({ message, name: message })], 1);
  expect(text).toContain(`  > ${defused}\n`);
  expect(text).toContain(`From: ${defused}, zoe`);
});
