import * as v from 'valibot';
import { countWords, parseProse } from './prose.ts';

/** Like valibot's strictObject, which reports only the first unknown field: the owner wants them all. */
export function strictObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.objectWithRest(entries, v.never()) as unknown as v.StrictObjectSchema<Entries, undefined>;
}

export const emptyReason = 'is empty';

export function text(maxLength = 400) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, emptyReason),
    v.check(value => !/[^\P{Cc}\n\r\t]/u.test(value), 'contains an invisible character'),
    v.maxLength(maxLength, issue => `is ${issue.input.length} characters, limit ${maxLength}`),
    v.description(`Text of at most ${maxLength} characters`),
  );
}

export function texts<const Name extends string>(maxLength: number, names: readonly Name[]) {
  return entries(names, text(maxLength));
}

/** The same field under each name. */
export function entries<const Name extends string, Field>(names: readonly Name[], field: Field) {
  return Object.fromEntries(names.map(name => [name, field])) as Record<Name, Field>;
}

export const maxDescriptionLength = 160;

export function description() {
  return v.pipe(
    text(maxDescriptionLength),
    v.minLength(70, issue => `is ${issue.input.length} characters, at least 70 are needed`),
    v.description('What search engines show: 70 to 160 characters'),
  );
}

function textMatching(pattern: RegExp, maxLength: number, expected: string, description: string) {
  return v.pipe(
    text(maxLength),
    v.regex(pattern, issue => `is '${truncate(issue.input)}', expected ${expected}`),
    v.description(description),
  );
}

export function slug() {
  return textMatching(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    60,
    'lower-case words joined by hyphens',
    'Lower-case words joined by hyphens, such as network-security',
  );
}

export function email() {
  return textMatching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 254, 'an email address', 'An email address');
}

export function phone() {
  return textMatching(
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
      issue => `is '${truncate(issue.input)}', expected an address that begins with https://`,
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
      issue => `is '${truncate(issue.input)}', expected a date such as 2024-07-15`,
    ),
    v.description('A date such as 2024-07-15'),
  );
}

export function count(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return v.pipe(
    v.number(),
    v.check(
      value => Number.isInteger(value) && value >= min && value <= max,
      issue => `is ${issue.input}, ${expected}`,
    ),
    v.description(`A whole number from ${min} to ${max}`),
  );
}

export function markdown(range?: { min: number; max: number }) {
  return v.pipe(
    text(60_000),
    v.description(range ? `Markdown of ${range.min} to ${range.max} words` : 'Markdown'),
    v.rawTransform(({ dataset, addIssue }) => {
      const { prose, errors } = parseProse(dataset.value);
      for (const { reason, line } of errors) addIssue({ message: reason, input: { line } });
      const wordCount = countWords(prose);
      if (range && (wordCount < range.min || wordCount > range.max)) {
        addIssue({ message: `has ${wordCount} words, expected ${range.min} to ${range.max}` });
      }
      return prose;
    }),
  );
}

export function listOf<const Item extends v.GenericSchema>(item: Item, min = 1, max = 60) {
  return v.pipe(
    v.array(item),
    v.minLength(min, issue => `has ${issue.input.length} entries, at least ${min} are needed`),
    v.maxLength(max, issue => `has ${issue.input.length} entries, limit ${max}`),
  );
}

/** By name; whether there are such features is checked where all of them are known. */
export const switches = v.optional(v.record(v.string(), v.boolean()));

export function truncate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export const newsletterFormTexts = { label: text(60), placeholder: text(60), button: text(30), note: text() };

const pageMeta = { title: text(55), description: description() };

export const indexedPageMeta = { ...pageMeta, imageHeading: text(60), updated: v.optional(day()) };

export const pageHeader = { ...pageMeta, label: text(60), heading: text(90), lead: text() };
