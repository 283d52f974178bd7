import * as v from 'valibot';
import {
  indexedPageMeta,
  listOf,
  markdown,
  pageHeader,
  slug,
  strictObject,
  text,
  texts,
} from '../../../core/content/fields.ts';
import { formLabels } from '../../messages/index.ts';

export const services = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  labels: strictObject(texts(40, ['finder', 'receive', 'request', 'more', 'sample'])),
  services: listOf(
    strictObject({
      id: slug(),
      ...texts(60, ['name', 'summary']),
      lead: text(120),
      receive: listOf(text(60), 3, 3),
      deliverable: text(40),
      description: markdown({ min: 120, max: 180 }),
    }),
    1,
    12,
  ),
  engagements: strictObject({
    heading: text(80),
    lead: text(),
    labels: strictObject(texts(30, ['table', 'name', 'what', 'length', 'who', 'get'])),
    items: listOf(
      strictObject({
        id: slug(),
        name: text(60),
        ...texts(120, ['what', 'get']),
        ...texts(60, ['length', 'who']),
        urgent: v.optional(text(60)),
      }),
      1,
      12,
    ),
  }),
  solutions: strictObject({
    heading: text(80),
    items: listOf(strictObject({ id: slug(), name: text(60), text: markdown({ min: 10, max: 60 }) }), 1, 6),
  }),
  request: strictObject({
    heading: text(80),
    lead: text(),
    audit: text(120),
    service: text(30),
    choose: text(60),
    ...formLabels,
  }),
});
