const note = '… (shortened: the whole text is in the database)';

export type SizeLimit = { factor: number; extraBytes: number };

/** Escapes and quotes could make a copy many times larger than the message: runs are collapsed, then the end is cut. */
export function truncateToSize(
  text: string,
  write: (text: string) => string,
  { factor, extraBytes }: SizeLimit,
): string {
  const maxBytes = factor * Buffer.byteLength(text) + extraBytes;
  const measure = (shortened: string) => Buffer.byteLength(write(shortened));
  if (measure(text) <= maxBytes) return text;
  const collapsed = text.replaceAll(runs, (run, unit?: string) =>
    unit
      ? `${unit}[×${run.length / unit.length}]`
      : `${run.slice(0, 3)}[and ${run.length - 3} more controls]`,
  );
  return cut(collapsed, measure, maxBytes);
}

/** The same character again and again, or a mix of those that escape-invisible.ts writes as numbers. */
const runs = /(\r\n|.)\1{8,}|(?:(?![\t\n\r])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]){9,}/gsu;

/** Shortens in proportion, which takes two or three steps; a search for the last character that fits would take many. */
function cut(text: string, measure: (text: string) => number, maxBytes: number): string {
  let shortened = text;
  let size = measure(text);
  for (let { length } = text; size > maxBytes; size = measure(shortened)) {
    length = Math.floor((0.95 * length * maxBytes) / size);
    shortened = text.slice(0, length).replace(/[\ud800-\udbff]$/, '') + note;
  }
  return shortened;
}
