import { group, indexedPageMeta, listOf, markdown, pageHeader, slug, text, texts } from '../fields.ts';

export const faq = group({
  ...indexedPageMeta,
  ...pageHeader,
  ...texts(40, ['openAll', 'closeAll', 'linkToAnswer']),
  filter: group({
    ...texts(60, ['label', 'hint', 'showing', 'none']),
    ...texts(30, ['clear', 'contact']),
    noneNext: text(),
  }),
  groups: listOf(
    group({
      id: slug(),
      title: text(60),
      questions: listOf(group({ id: slug(), question: text(160), answer: markdown({ min: 40, max: 90 }) })),
    }),
  ),
});
