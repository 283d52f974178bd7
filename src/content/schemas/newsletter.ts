import * as v from 'valibot';
import { group, markdown, newsletterBox, pageHeader, text, texts } from '../fields.ts';

const step = { ...pageHeader, nextHeading: text(60), next: markdown() };
const withButton = group({ ...step, button: text(40) });
const withBox = group({ ...step, again: text(60) });

export const newsletter = group({
  box: group(newsletterBox),
  answers: group({
    ...texts(60, ['sent', 'refused']),
    ...texts(400, ['sentNext', 'emailRefused', 'tooMany', 'refusedNext', 'offline', 'unsent']),
  }),
  home: text(60),
  steps: group({
    asked: group(step),
    refused: withBox,
    confirm: withButton,
    confirmed: group(step),
    expired: withBox,
    leave: withButton,
    left: withBox,
    'not-left': group(step),
    later: group(step),
  }),
});

export const confirmationMail = group({
  subject: text(120),
  body: v.pipe(text(20_000), v.includes('{link}', 'is missing {link}, the address of the confirmation page')),
});

export const issueMail = group({
  ...texts(60, ['sender', 'leave', 'web']),
  ...texts(400, ['why', 'address']),
  picture: text(30),
});
