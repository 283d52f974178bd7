import { description, group, listOf, text } from '../fields.ts';

/** What is said of the company where no page is shown: to assistants, and in the data that pages carry. */
export const found = group({
  summary: description(),
  notes: listOf(text(), 1, 6),
  headings: group({
    pages: text(40),
    services: text(40),
    engagements: text(40),
    solutions: text(40),
    questions: text(40),
    posts: text(40),
  }),
});
