import { BackupMistake } from './format.ts';

/** No row is nearly as long; a file without an end of line must not fill the memory. */
const longestLine = 64 * 1024 * 1024;

/** Lines without their ends. A last one that has no end was cut off. */
export async function* splitLines(
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ number: number; bytes: Buffer }> {
  let number = 0;
  let begun: Buffer[] = [];
  let length = 0;
  for await (const part of parts) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    let from = 0;
    for (let to = bytes.indexOf(0x0a); to >= 0; to = bytes.indexOf(0x0a, from)) {
      const rest = bytes.subarray(from, to);
      number += 1;
      yield { number, bytes: begun.length > 0 ? Buffer.concat([...begun, rest]) : rest };
      begun = [];
      length = 0;
      from = to + 1;
    }
    if (from < bytes.length) begun.push(bytes.subarray(from));
    length += bytes.length - from;
    if (length > longestLine) throw new BackupMistake(number + 1, 'it is longer than any line of a backup');
  }
  if (length > 0) throw new BackupMistake(number + 1, 'it is cut off');
}
