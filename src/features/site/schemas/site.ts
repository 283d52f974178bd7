import {
  description,
  listOf,
  newsletterFormTexts,
  strictObject,
  switches,
  text,
  texts,
} from '../../../core/content/fields.ts';

export const site = strictObject({
  features: switches,
  header: strictObject({ menu: text(30), ...texts(40, ['skip', 'primary']) }),
  pauseMotion: text(30),
  contents: text(40),
  leaveEmpty: text(60),
  footer: strictObject({
    lead: text(),
    newsletter: strictObject({ title: text(30), ...newsletterFormTexts }),
    toTop: text(40),
    rights: text(60),
    registration: strictObject(texts(40, ['name', 'number', 'place', 'office', 'vat'])),
    social: text(40),
  }),
  policy: strictObject(texts(40, ['short', 'ask'])),
  audit: strictObject({ heading: text(80), text: text(), ...texts(50, ['check', 'button', 'sample']) }),
  notices: strictObject({
    ...texts(60, ['sent', 'refused']),
    ...texts(40, ['reference', 'sending']),
    ...texts(400, ['sentNext', 'emptyNext', 'refusedNext', 'offline', 'emailRefused', 'textRefused']),
    refusals: strictObject(texts(400, ['field', 'tooLong', 'tooMany', 'notStored'])),
    wait: strictObject(texts(40, ['unknown', 'one', 'many'])),
    doNotSend: text(30),
    unsent: strictObject(texts(400, ['edited', 'stopped', 'expired', 'failed'])),
  }),
  error: strictObject({
    ...texts(60, ['heading', 'reload', 'contact']),
    chunk: text(80),
    ...texts(400, ['lead', 'other']),
  }),
  notFound: strictObject({
    title: text(55),
    description: description(),
    label: text(30),
    heading: text(80),
    lead: text(),
    ...texts(60, ['home', 'services', 'contact']),
  }),
});

export const staticSite = strictObject({
  withoutScript: text(),
  newsletter: strictObject({
    ...texts(60, ['write', 'subject']),
    ...texts(400, ['note', 'sent', 'refused', 'failed']),
  }),
});

export const seo = strictObject({
  summary: description(),
  notes: listOf(text(), 1, 6),
  headings: strictObject(texts(40, ['pages', 'services', 'engagements', 'solutions', 'questions', 'posts'])),
});
