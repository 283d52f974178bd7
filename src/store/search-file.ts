import { open } from 'node:fs/promises';

/** What a file must not hold any more: an address, and messages. */
export type Gone = { address: string; references: ReadonlySet<string> };

/** Read a part at a time, each with the end of the one before: what is looked for may lie across them. */
const [partLength, overlap] = [1 << 20, 1024];

/** By its bytes: in a row nothing stands between one column and the next. */
export async function holdsGone(path: string, { address, references }: Gone): Promise<boolean> {
  const sign = Buffer.from(address).toString('latin1').toLowerCase();
  await using file = await open(path);
  const buffer = Buffer.alloc(partLength);
  let before = '';
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read({ buffer, position });
    if (bytesRead === 0) return false;
    const text = before + buffer.toString('latin1', 0, bytesRead);
    if (text.toLowerCase().includes(sign) || beginsMessage(text, references)) return true;
    before = text.slice(-overlap);
    position += bytesRead;
  }
}

/**
 * A message's row begins with its reference, which is ten signs and a line in their middle, and its time: a year and a
 * line. Elsewhere a reference alone says nothing of anybody.
 */
function beginsMessage(text: string, references: ReadonlySet<string>): boolean {
  for (let at = text.indexOf('-'); at >= 0; at = text.indexOf('-', at + 1)) {
    if (text[at + 10] === '-' && references.has(text.slice(at - 5, at + 6))) return true;
  }
  return false;
}
