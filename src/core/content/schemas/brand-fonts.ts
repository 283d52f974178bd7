import * as v from 'valibot';
import { listOf, strictObject, text, truncate } from '../fields.ts';

function matching(pattern: RegExp, maxLength: number, expected: string) {
  return v.pipe(
    text(maxLength),
    v.regex(pattern, issue => `is '${truncate(issue.input)}', expected ${expected}`),
    v.description(expected),
  );
}

const weight = '[1-9]00';
const weights = v.pipe(
  v.union([v.number(), v.string()]),
  v.check(
    value => new RegExp(`^${weight}( to ${weight})?$`).test(String(value)),
    issue =>
      `is '${truncate(String(issue.input))}', expected a weight such as 400, or a range such as 400 to 700`,
  ),
  v.description('A weight such as 400, or a range such as 400 to 700'),
);

const font = strictObject({
  family: matching(/^[A-Za-z0-9][A-Za-z0-9 -]*$/, 60, 'a name of letters, digits, spaces and hyphens'),
  files: listOf(
    strictObject({
      file: matching(/^[\w-][\w.-]*\.woff2$/, 100, 'the name of a .woff2 file in content/brand/fonts/'),
      weights,
      unicodeRange: v.optional(
        matching(
          /^U\+[\da-fA-F?]{1,6}(-[\da-fA-F]{1,6})?(,\s*U\+[\da-fA-F?]{1,6}(-[\da-fA-F]{1,6})?)*$/,
          4000,
          'a list such as U+20-7E, U+A3',
        ),
      ),
    }),
    1,
    12,
  ),
});

export const brandFonts = strictObject({ text: font, code: font });

export type BrandFonts = v.InferOutput<typeof brandFonts>;
