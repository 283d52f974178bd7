import { group, listOf, markdown, text } from '../fields.ts';
import { formLabels } from './forms.ts';
import { foundHead, pageOpening } from './heads.ts';

export const contact = group({
  ...foundHead,
  ...pageOpening,
  audit: group({
    heading: text(80),
    lead: text(),
    points: listOf(group({ title: text(60), text: text(600) }), 1, 6),
  }),
  about: group({ heading: text(60), text: markdown() }),
  promises: group({
    reply: text(40),
    audit: text(40),
    test: text(40),
    accreditations: text(40),
    memberships: text(40),
    insurance: text(40),
  }),
  work: group({ heading: text(60), text: markdown() }),
  form: group({ heading: text(60), ...formLabels }),
  details: group({
    heading: text(60),
    phone: text(30),
    email: text(30),
    address: text(30),
    hours: text(30),
  }),
  next: group({ heading: text(60), steps: listOf(text(), 1, 6) }),
  urgent: group({ heading: text(60), text: text() }),
});
