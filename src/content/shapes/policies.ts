import { day, group, markdown, text } from '../fields.ts';
import { foundHead } from './heads.ts';

const policyFields = { ...foundHead, dateLabel: text(30), date: day(), body: markdown() };

export const policy = group(policyFields);

/** The switch in the privacy policy by which a browser is left out of the numbers. */
export const privacy = group({
  ...policyFields,
  countSwitch: group({ label: text(60), counted: text(), uncounted: text(), declined: text() }),
});
