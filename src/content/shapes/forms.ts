import { text } from '../fields.ts';

export const newsletterBox = { label: text(60), placeholder: text(60), button: text(30), note: text() };

export const formLabels = {
  name: text(30),
  email: text(30),
  message: text(30),
  button: text(30),
  hint: text(),
};
