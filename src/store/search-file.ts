import { readOverlapping } from '../lib/files.ts';

/** What a file must not hold any more: an address, and messages. */
export type Gone = { address: string; references: ReadonlySet<string> };

/** By its bytes: in a row nothing stands between one column and the next. */
export async function holdsGone(path: string, { address, references }: Gone): Promise<boolean> {
  const sign = Buffer.from(address).toString('latin1').toLowerCase();
  for await (const bytes of readOverlapping(path)) {
    const text = bytes.toString('latin1');
    if (text.toLowerCase().includes(sign) || beginsMessage(text, references)) return true;
  }
  return false;
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
