import * as v from 'valibot';
import {
  markdown,
  newsletterFormTexts,
  pageHeader,
  strictObject,
  text,
  texts,
} from '../../../core/content/fields.ts';

const page = { ...pageHeader, nextHeading: text(60), next: markdown() };
const withButton = strictObject({ ...page, button: text(40) });
const withForm = strictObject({ ...page, signUpAgain: text(60) });

export const newsletter = strictObject({
  form: strictObject(newsletterFormTexts),
  feedback: strictObject({
    ...texts(60, ['sent', 'refused']),
    ...texts(400, ['sentNext', 'emailRefused', 'tooMany', 'refusedNext', 'offline', 'unsent']),
  }),
  home: text(60),
  pages: strictObject({
    requested: strictObject(page),
    invalid: withForm,
    confirm: withButton,
    confirmed: strictObject(page),
    expired: withForm,
    unsubscribe: withButton,
    unsubscribed: withForm,
    unsubscribeFailed: strictObject(page),
    unavailable: strictObject(page),
  }),
});

export const confirmationMail = strictObject({
  subject: text(120),
  body: v.pipe(text(20_000), v.includes('{link}', 'is missing {link}, the address of the confirmation page')),
});
