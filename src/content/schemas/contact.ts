import { formLabels, group, indexedPageMeta, listOf, markdown, pageHeader, text, texts } from '../fields.ts';

export const contact = group({
  ...indexedPageMeta,
  ...pageHeader,
  audit: group({
    heading: text(80),
    lead: text(),
    points: listOf(group({ title: text(60), text: text(600) }), 1, 6),
  }),
  about: group({ heading: text(60), text: markdown() }),
  promises: group(texts(40, ['reply', 'audit', 'test', 'accreditations', 'memberships', 'insurance'])),
  work: group({ heading: text(60), text: markdown() }),
  form: group({ heading: text(60), ...formLabels }),
  details: group({ heading: text(60), ...texts(30, ['phone', 'email', 'address', 'hours']) }),
  next: group({ heading: text(60), steps: listOf(text(), 1, 6) }),
  urgent: group({ heading: text(60), text: text() }),
});
