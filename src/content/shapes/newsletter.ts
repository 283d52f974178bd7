import * as v from 'valibot';
import { group, markdown, text } from '../fields.ts';
import { newsletterBox } from './forms.ts';
import { pageOpening } from './heads.ts';

/** Pages on the way into the newsletter and out of it: some end in a button, and some in the box to ask again. */
const step = { ...pageOpening, nextHeading: text(60), next: markdown() };

const withButton = group({ ...step, button: text(40) });

const withBox = group({ ...step, again: text(60) });

export const newsletter = group({
  box: group(newsletterBox),
  answers: group({
    sent: text(60),
    sentNext: text(),
    refused: text(60),
    emailRefused: text(),
    tooMany: text(),
    refusedNext: text(),
    offline: text(),
    unsent: text(),
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

/** It leaves as text/plain, so its body stays text. */
export const confirmation = group({
  subject: text(120),
  body: v.pipe(text(20_000), v.includes('{link}', 'lacks {link}, the page that confirms')),
});

/** What stands around each issue of the newsletter. */
export const issue = group({
  sender: text(60),
  why: text(),
  leave: text(60),
  address: text(),
  web: text(60),
  picture: text(30),
});
