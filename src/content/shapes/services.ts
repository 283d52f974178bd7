import * as v from 'valibot';
import { group, listOf, markdown, slug, text } from '../fields.ts';
import { formLabels } from './forms.ts';
import { foundHead, pageOpening } from './heads.ts';

export const services = group({
  ...foundHead,
  ...pageOpening,
  services: listOf(
    group({
      id: slug(),
      name: text(60),
      summary: text(60),
      description: markdown({ least: 120, most: 180 }),
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
        what: text(600),
        start: text(600),
        get: text(600),
        urgent: v.optional(text(60)),
        urgentText: v.optional(text()),
      }),
      1,
      12,
    ),
  }),
  solutions: group({
    heading: text(80),
    items: listOf(group({ id: slug(), name: text(60), text: markdown({ least: 80, most: 120 }) }), 1, 6),
  }),
  request: group({
    heading: text(80),
    lead: text(),
    service: text(30),
    choose: text(60),
    ...formLabels,
  }),
});
