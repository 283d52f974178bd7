import * as v from 'valibot';
import { day, indexedPageMeta, listOf, markdown, strictObject, text } from '../fields.ts';

export const policy = strictObject({
  ...indexedPageMeta,
  dateLabel: text(30),
  date: day(),
  short: v.optional(listOf(text(160), 1, 4)),
  body: markdown(),
});

export type Policy = v.InferOutput<typeof policy>;
