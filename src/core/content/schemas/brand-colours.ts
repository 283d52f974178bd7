import * as v from 'valibot';
import { parseColour } from '../brand/colours.ts';
import { strictObject, truncate } from '../fields.ts';

const example = 'write it as "#5df0b5" in quotation marks, or as oklch(86% 0.15 163)';

function colour() {
  return v.pipe(
    v.nullable(v.string()),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || parseColour(dataset.value ?? '')) return;
      // YAML takes what follows a # without quotation marks for a comment.
      const what = dataset.value ? `is '${truncate(dataset.value)}', which is no colour` : 'is empty';
      addIssue({ message: `${what}; ${example}` });
    }),
    v.transform(String),
    v.description('A colour such as "#5df0b5" (in quotation marks) or oklch(86% 0.15 163)'),
  );
}

const required = [
  'surface',
  'raised',
  'high',
  'hairline',
  'text',
  'muted',
  'accent',
  'edge',
  'attention',
] as const;

function colours<const Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map(name => [name, colour()])) as Record<Name, ReturnType<typeof colour>>;
}

function optionalColours<const Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map(name => [name, v.optional(colour())])) as Record<
    Name,
    v.OptionalSchema<ReturnType<typeof colour>, undefined>
  >;
}

export const brandColours = strictObject({
  ink: strictObject({
    ...colours(required),
    ...colours(['codeName', 'codeValue']),
    ...optionalColours(['onAccent', 'codeWord']),
  }),
  paper: strictObject({ ...colours(required), ...optionalColours(['onAccent']) }),
  mint: v.optional(strictObject(optionalColours([...required, 'onAccent']))),
});

export type BrandColours = v.InferOutput<typeof brandColours>;
