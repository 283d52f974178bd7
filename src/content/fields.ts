import * as v from 'valibot';
import { countWords, parseProse } from './prose.ts';

/** The kinds of field the content files are made of. A reason completes the sentence that begins with its name. */

/** Exactly these fields. Valibot's own strictObject reports only the first unknown one; the owner wants them all. */
export function group<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.objectWithRest(entries, v.never()) as unknown as v.StrictObjectSchema<Entries, undefined>;
}

export function text(most = 400) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'is empty'),
    v.check(value => !/[^\P{Cc}\n\r\t]/u.test(value), 'holds a character that cannot be seen'),
    v.maxLength(most, issue => `is ${issue.input.length} characters, limit ${most}`),
    v.description(`Text of at most ${most} characters`),
  );
}

/** What search engines show of one before they cut it off. */
export const mostOfDescription = 160;

/** A meta description: long enough to say something, short enough to be shown whole. */
export function description() {
  return v.pipe(
    text(mostOfDescription),
    v.minLength(70, issue => `is ${issue.input.length} characters, at least 70 are needed`),
    v.description('What search engines show: 70 to 160 characters'),
  );
}

/** A link target inside a page, or a key: stable, lower case. */
export function slug() {
  return v.pipe(
    text(60),
    v.regex(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      issue => `is '${clip(issue.input)}', expected lower-case words joined by hyphens`,
    ),
    v.description('Lower-case words joined by hyphens, such as network-security'),
  );
}

export function email() {
  return v.pipe(
    text(254),
    v.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, issue => `is '${clip(issue.input)}', expected an e-mail address`),
    v.description('An e-mail address'),
  );
}

export function phone() {
  return v.pipe(
    text(30),
    v.regex(
      /^\+?[0-9][0-9 ]{6,}$/,
      issue => `is '${clip(issue.input)}', expected digits and spaces such as 020 7946 0123`,
    ),
    v.description('Digits and spaces in quotation marks, such as "020 7946 0123"'),
  );
}

export function webAddress() {
  return v.pipe(
    text(300),
    v.check(
      value => URL.parse(value)?.protocol === 'https:',
      issue => `is '${clip(issue.input)}', expected an address that begins with https://`,
    ),
    v.description('An address that begins with https://'),
  );
}

/** A day such as 2024-07-15. YAML readers agree on text; the calendar is checked here. */
export function day() {
  return v.pipe(
    v.string(),
    v.check(
      value =>
        /^\d{4}-\d{2}-\d{2}$/.test(value) &&
        new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true,
      issue => `is '${clip(issue.input)}', expected a date such as 2024-07-15`,
    ),
    v.description('A date such as 2024-07-15'),
  );
}

export function count(least: number, most: number) {
  const expected = `expected a whole number from ${least} to ${most}`;
  return v.pipe(
    v.number(),
    v.check(
      value => Number.isInteger(value) && value >= least && value <= most,
      issue => `is ${issue.input}, ${expected}`,
    ),
    v.description(`A whole number from ${least} to ${most}`),
  );
}

/** Markdown, within a number of words where the place on the page asks for it. */
export function markdown(words?: { least: number; most: number }) {
  return v.pipe(
    text(60_000),
    v.description(words ? `Markdown of ${words.least} to ${words.most} words` : 'Markdown'),
    v.rawTransform(({ dataset, addIssue }) => {
      const { prose, mistakes } = parseProse(dataset.value);
      for (const { reason, line } of mistakes) addIssue({ message: reason, input: { line } });
      const found = countWords(prose);
      if (words && (found < words.least || found > words.most)) {
        addIssue({ message: `has ${found} words, expected ${words.least} to ${words.most}` });
      }
      return prose;
    }),
  );
}

export function listOf<const Item extends v.GenericSchema>(item: Item, least = 1, most = 60) {
  return v.pipe(
    v.array(item),
    v.minLength(least, issue => `has ${issue.input.length} entries, at least ${least} are needed`),
    v.maxLength(most, issue => `has ${issue.input.length} entries, limit ${most}`),
  );
}

/** Enough of what was written to know it again. */
export function clip(written: string): string {
  return written.length > 60 ? `${written.slice(0, 60)}…` : written;
}
