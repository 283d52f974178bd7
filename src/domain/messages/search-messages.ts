import type { MessageFilter, MessagePlace, Messages } from '../../store/messages.ts';
import type { MessageRow } from '../../store/tables.ts';

type SearchDeps = {
  messages: Pick<Messages, 'each'>;
  /** Told how many were looked at so far. */
  onRead?(read: number): void;
};

/**
 * Messages in which every word is found somewhere, newest first, a page of those looked at at a time. Compared here and
 * not by the database, so that case and accents count for nothing in the same way on both.
 */
export async function* searchMessages(
  { messages, onRead }: SearchDeps,
  filter: MessageFilter,
  words: string,
  after?: MessagePlace,
): AsyncGenerator<MessageRow[]> {
  const wanted = fold(words).split(/\s+/).filter(Boolean);
  let read = 0;
  for await (const page of messages.each(filter, 'newest', after)) {
    yield page.filter(row => {
      const text = fold(fieldNames.map(name => row[name]).join('\n'));
      return wanted.every(word => text.includes(word));
    });
    read += page.length;
    onRead?.(read);
  }
}

const fieldNames = ['reference', 'name', 'email', 'message', 'service'] as const;

// Most text has nothing to fold but its capitals, and a million messages are a lot to take apart.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole
const plain = /^[\x00-\x7f]*$/;

function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}
