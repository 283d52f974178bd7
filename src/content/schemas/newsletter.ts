import * as v from 'valibot';
import { group, markdown, newsletterFormTexts, pageHeader, text, texts } from '../fields.ts';

const page = { ...pageHeader, nextHeading: text(60), next: markdown() };
const withButton = group({ ...page, button: text(40) });
const withForm = group({ ...page, signUpAgain: text(60) });

export const newsletter = group({
  form: group(newsletterFormTexts),
  feedback: group({
    ...texts(60, ['sent', 'refused']),
    ...texts(400, ['sentNext', 'emailRefused', 'tooMany', 'refusedNext', 'offline', 'unsent']),
  }),
  home: text(60),
  pages: group({
    requested: group(page),
    invalid: withForm,
    confirm: withButton,
    confirmed: group(page),
    expired: withForm,
    unsubscribe: withButton,
    unsubscribed: withForm,
    unsubscribeFailed: group(page),
    unavailable: group(page),
  }),
});

export const confirmationMail = group({
  subject: text(120),
  body: v.pipe(text(20_000), v.includes('{link}', 'is missing {link}, the address of the confirmation page')),
});

export const acknowledgementMail = group({
  subject: text(120),
  body: v.pipe(
    text(20_000),
    v.includes('{reference}', 'is missing {reference}, the reference of the message'),
    markdown(),
  ),
});

export const issueMail = group({
  ...texts(60, ['sender', 'unsubscribe', 'readOnWeb']),
  ...texts(400, ['reason', 'address']),
  imageLabel: text(30),
});
