import fc from 'fast-check';
import type { Attempt } from '../../src/core/outbox/delivery.ts';
import { mapMessageFields } from '../../src/features/messages/message-fields.ts';
import type { MessagePayload } from '../../src/features/messages/payloads.ts';

export const attempt: Attempt = { isPossibleDuplicate: false, signal: new AbortController().signal };

export const samplePayload: MessagePayload = {
  kind: 'message',
  reference: 'ABCDE-FGHJK',
  receivedAt: '2026-01-02T03:04:05.678Z',
  ...mapMessageFields(() => ''),
  name: 'Zoë',
  email: 'zoe@example.com',
  message: 'Hello',
};

/** fast-check's own unit 'binary' takes seconds to prepare. */
const anyUnit = fc.nat(0xffff).map(code => String.fromCharCode(code));

/** Text made of these parts and of any characters. */
export function hostileText(parts: readonly string[]): fc.Arbitrary<string> {
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...parts) },
    fc.string({ unit: anyUnit, maxLength: 12 }),
  );
  return fc.array(part, { maxLength: 14 }).map(text => text.join(''));
}
