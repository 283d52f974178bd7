import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

/** A long page has 50 kB. */
const maxBytes = 200_000;

type TextFile = { text: string } | { text?: never; reason: string; line: number };

export function readTextFile(file: string): TextFile {
  try {
    const { size } = statSync(file);
    if (size > maxBytes)
      return { line: 1, reason: `the file is ${Math.ceil(size / 1000)} kB, limit ${maxBytes / 1000} kB` };
    const bytes = readFileSync(file);
    const text = new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n');
    if (isUtf8(bytes)) return { text };
    const line = text.split('\n').findIndex(one => one.includes('\uFFFD')) + 1;
    return { line, reason: 'is not UTF-8 text; save the file as UTF-8' };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return { line: 1, reason: reasons[code] ?? `the file cannot be read (${code})` };
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'the file is missing',
  EISDIR: 'is a folder, expected a file',
  EACCES: 'this user may not read the file',
};
