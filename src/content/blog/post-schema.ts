import * as v from 'valibot';
import { clip, day, description, group, listOf, text } from '../fields.ts';
import { showCode } from './hide-code.ts';
import { parsePostProse } from './post-prose.ts';
import type { PostWords } from './types.ts';

const longestBody = 60_000;

/** Bidirectional control characters reorder the text after them and are invisible. */
const turning = /[\u202A-\u202E\u2066-\u2069]/;
const turned = 'holds a mark that turns the direction of writing';

export function postSchema(words: PostWords, folder: string) {
  return group({
    title: oneLine(text(60)),
    summary: oneLine(description()),
    topics: v.pipe(
      listOf(oneOf(words.topics.map(({ slug }) => slug)), 1, 5),
      v.check(topics => new Set(topics).size === topics.length, 'has one of them twice'),
    ),
    date: day(),
    updated: v.optional(day()),
    draft: v.optional(v.boolean()),
    art: v.optional(oneOf(artNames)),
    body: v.pipe(
      text(longestBody),
      v.rawTransform(({ dataset, addIssue }) => {
        const body = showCode(dataset.value);
        const { mistakes, ...read } = parsePostProse(body, words, folder);
        // In code it would show other lines than run.
        for (const [index, line] of body.split('\n').entries())
          if (turning.test(line)) mistakes.push({ line: index + 1, reason: turned });
        for (const { reason, line } of mistakes) addIssue({ message: reason, input: { line } });
        return read;
      }),
    ),
  });
}

export type PostFields = v.InferOutput<ReturnType<typeof postSchema>>;

/** Feeds, mails and meta tags have one line for it. */
function oneLine<Text extends v.GenericSchema<string, string>>(field: Text) {
  return v.pipe(
    field,
    v.check((value: string) => !/[\n\r\t\u2028\u2029]/.test(value), 'holds a line break or a tab'),
    v.check((value: string) => !turning.test(value), turned),
  );
}

/** With an empty list, as while blog.yaml has errors, anything passes. */
function oneOf(known: string[]) {
  return v.pipe(
    v.string(),
    v.check(
      value => known.length === 0 || known.includes(value),
      issue => `is '${clip(issue.input)}', expected one of ${known.join(', ')}`,
    ),
  );
}

/** The files of src/site/illustrations without that of the 404 page. */
export const artNames = [
  'computer-security',
  'contact',
  'data-security',
  'locker-security',
  'malware-protection',
  'network-security',
  'shield',
  'web-security',
];

export const commonArt = 'shield';
