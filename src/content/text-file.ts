import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

const mostBytes = 1_000_000;

type TextFile = { text: string } | { text?: never; reason: string; line: number };

/** With normalised line ends; or why there is no text, in words that follow the file's name. */
export function readTextFile(file: string): TextFile {
  try {
    const { size } = statSync(file);
    if (size > mostBytes)
      return { line: 1, reason: `the file is ${Math.ceil(size / 1e6)} MB, limit ${mostBytes / 1e6} MB` };
    const bytes = readFileSync(file);
    // The decoder removes a byte order mark.
    const text = new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n');
    if (isUtf8(bytes)) return { text };
    const line = text.split('\n').findIndex(one => one.includes('\uFFFD')) + 1;
    return { line, reason: 'is not text in UTF-8; save the file as UTF-8' };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return { line: 1, reason: reasons[code] ?? `the file cannot be read (${code})` };
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'the file is missing',
  EISDIR: 'there is a folder of this name; a file is needed',
  EACCES: 'the file may not be read by this user',
};
