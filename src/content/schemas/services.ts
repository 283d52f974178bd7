import * as v from 'valibot';
import {
  formLabels,
  group,
  indexedPageMeta,
  listOf,
  markdown,
  pageHeader,
  slug,
  text,
  texts,
} from '../fields.ts';

export const services = group({
  ...indexedPageMeta,
  ...pageHeader,
  services: listOf(
    group({
      id: slug(),
      ...texts(60, ['name', 'summary']),
      description: markdown({ min: 120, max: 180 }),
    }),
    1,
    12,
  ),
  engagements: group({
    heading: text(80),
    lead: text(),
    labels: group({ start: text(30), get: text(30) }),
    items: listOf(
      group({
        id: slug(),
        name: text(60),
        ...texts(600, ['what', 'start', 'get']),
        urgent: v.optional(text(60)),
        urgentText: v.optional(text()),
      }),
      1,
      12,
    ),
  }),
  solutions: group({
    heading: text(80),
    items: listOf(group({ id: slug(), name: text(60), text: markdown({ min: 80, max: 120 }) }), 1, 6),
  }),
  request: group({ heading: text(80), lead: text(), service: text(30), choose: text(60), ...formLabels }),
});
