import * as v from 'valibot';
import {
  indexedPageMeta,
  listOf,
  markdown,
  pageHeader,
  strictObject,
  text,
  texts,
} from '../../../core/content/fields.ts';
import { messageFields } from '../message-fields.ts';

/** What a form asks for in words; a choice has a label of its own where it is offered. */
const askedFields = messageFields.flatMap(({ name, input }) => (input === 'choice' ? [] : [name]));
export const formLabels = { ...texts(30, [...askedFields, 'button']), hint: text() };

export const contact = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  audit: strictObject({
    heading: text(80),
    lead: text(),
    points: listOf(strictObject({ title: text(60), text: text(600) }), 1, 6),
  }),
  about: strictObject({ heading: text(60), text: markdown() }),
  promises: strictObject(
    texts(40, ['reply', 'audit', 'test', 'accreditations', 'memberships', 'insurance', 'people']),
  ),
  work: strictObject({ heading: text(60), text: markdown() }),
  form: strictObject({ heading: text(60), ...formLabels }),
  details: strictObject({ heading: text(60), ...texts(30, ['phone', 'email', 'address', 'hours']) }),
  next: strictObject({ heading: text(60), steps: listOf(text(), 1, 6) }),
  urgent: strictObject({ heading: text(60), text: text() }),
});

export const acknowledgementMail = strictObject({
  subject: text(120),
  body: v.pipe(
    text(20_000),
    v.includes('{reference}', 'is missing {reference}, the reference of the message'),
    markdown(),
  ),
});
