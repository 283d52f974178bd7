import { expect, test } from 'vitest';
import { newMessage } from '../../../tests/harness/sample-message.ts';
import { formatDigest } from './digest.ts';

const digestOf = (about: Parameters<typeof newMessage>[0]) =>
  formatDigest([newMessage({ reference: 'AAAAA-BBBBB', quarantine_reason: 'flood', ...about })], 1).text;

test('names each message with its reason and sender, 200 characters of it, and the command that releases it', () => {
  const message = `one\r\n\u202etwo\u2028${'👩'.repeat(300)}`;
  expect(digestOf({ message })).toContain(
    [
      'AAAAA-BBBBB  2026-01-02T03:04:05.678Z  flood',
      '  From: Zoë, zoe@example[.]com',
      `  > one two ${'👩'.repeat(192)}`,
      '  npm run inbox -- release AAAAA-BBBBB',
    ].join('\n'),
  );
});

test.each([
  ['https://evil.example/a.b', 'hxxps[:]//evil[.]example/a[.]b'],
  ['HTTP:evil.example', 'hxxP:evil[.]example'],
  ['www.evil.example, 192.0.2.1', 'www[.]evil[.]example, 192[.]0[.]2[.]1'],
  ['ma\u0308.example 💩.example evil。example', 'ma\u0308[.]example 💩[.]example evil[.]example'],
  ['The end. Or... not', 'The end. Or... not'],
])('does not turn %j into a link', (message, defused) => {
  const text = digestOf({ message, name: message });
  expect(text).toContain(`  > ${defused}\n`);
  expect(text).toContain(`From: ${defused}, zoe`);
});
