import * as v from 'valibot';
import { countWords, parseProse } from './prose.ts';

/** The reason of each check completes the sentence that begins with the field's name. */

/** Valibot's own strictObject reports only the first unknown field; the owner wants them all. */
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

export function texts<const Name extends string>(most: number, names: Name[]) {
  return Object.fromEntries(names.map(name => [name, text(most)])) as Record<Name, ReturnType<typeof text>>;
}

/** Search engines cut it off there. */
export const mostOfDescription = 160;

export function description() {
  return v.pipe(
    text(mostOfDescription),
    v.minLength(70, issue => `is ${issue.input.length} characters, at least 70 are needed`),
    v.description('What search engines show: 70 to 160 characters'),
  );
}

function textLike(form: RegExp, most: number, expected: string, described: string) {
  return v.pipe(
    text(most),
    v.regex(form, issue => `is '${clip(issue.input)}', expected ${expected}`),
    v.description(described),
  );
}

export function slug() {
  return textLike(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    60,
    'lower-case words joined by hyphens',
    'Lower-case words joined by hyphens, such as network-security',
  );
}

export function email() {
  return textLike(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 254, 'an e-mail address', 'An e-mail address');
}

export function phone() {
  return textLike(
    /^\+?[0-9][0-9 ]{6,}$/,
    30,
    'digits and spaces such as 020 7946 0123',
    'Digits and spaces in quotation marks, such as "020 7946 0123"',
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

export function clip(written: string): string {
  return written.length > 60 ? `${written.slice(0, 60)}…` : written;
}

export const newsletterBox = { label: text(60), placeholder: text(60), button: text(30), note: text() };

export const formLabels = { ...texts(30, ['name', 'email', 'message', 'button']), hint: text() };

const pageHead = { title: text(55), description: description() };

export const foundHead = { ...pageHead, picture: text(60), updated: v.optional(day()) };

export const pageOpening = { ...pageHead, label: text(60), heading: text(90), lead: text() };
