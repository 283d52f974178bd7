import { group, listOf, markdown, slug, text } from '../fields.ts';
import { foundHead, pageOpening } from './heads.ts';

export const faq = group({
  ...foundHead,
  ...pageOpening,
  openAll: text(40),
  closeAll: text(40),
  linkToAnswer: text(40),
  filter: group({
    label: text(60),
    hint: text(60),
    clear: text(30),
    showing: text(60),
    none: text(60),
    noneNext: text(),
    contact: text(30),
  }),
  groups: listOf(
    group({
      id: slug(),
      title: text(60),
      questions: listOf(
        group({ id: slug(), question: text(160), answer: markdown({ least: 40, most: 90 }) }),
      ),
    }),
  ),
});
