import type { MessageCursor, MessageFilter, Messages } from '../../store/messages.ts';
import type { MessageRow } from '../../store/tables.ts';

/** Compared here and not by the database, so that case and accents are folded in the same way on both. */
export async function* searchMessages(
  { messages }: { messages: Pick<Messages, 'each'> },
  filter: MessageFilter,
  words: string,
  after?: MessageCursor,
): AsyncGenerator<MessageRow[]> {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  for await (const page of messages.each(filter, 'newest', after)) {
    yield page.filter(row => {
      const text = fold(fieldNames.map(name => row[name]).join('\n'));
      return wanted.every(word => text.includes(word));
    });
  }
}

const fieldNames = ['reference', 'name', 'email', 'message', 'service'] as const;

// A quick path: most text is ASCII, and a search may read a million messages.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole
const plain = /^[\x00-\x7f]*$/;

function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}
