import { description, group, text } from '../fields.ts';
import { newsletterBox } from './forms.ts';

export const site = group({
  header: group({
    home: text(30),
    services: text(30),
    contact: text(30),
    menu: text(30),
    skip: text(40),
    primary: text(40),
  }),
  pauseMotion: text(30),
  contents: text(40),
  leaveEmpty: text(60),
  footer: group({
    lead: text(),
    columns: group({
      company: group({ title: text(30), about: text(30), cases: text(30) }),
      solutions: group({
        title: text(30),
        security: text(30),
        consulting: text(30),
        software: text(30),
      }),
      resources: group({
        title: text(30),
        blog: text(30),
        privacy: text(30),
        faq: text(30),
        terms: text(30),
        security: text(30),
      }),
      newsletter: group({ title: text(30), ...newsletterBox }),
    }),
    toTop: text(40),
    rights: text(60),
    registration: group({
      name: text(40),
      number: text(40),
      place: text(40),
      office: text(40),
      vat: text(40),
    }),
    social: text(40),
  }),
  notices: group({
    sent: text(60),
    sentNext: text(),
    reference: text(40),
    refused: text(60),
    refusedNext: text(),
    refusals: group({ field: text(), tooLong: text(), tooMany: text(), notStored: text() }),
    wait: group({ unknown: text(40), one: text(40), many: text(40) }),
    sending: text(40),
    offline: text(),
    doNotSend: text(30),
    unsent: group({ edited: text(), stopped: text(), expired: text(), failed: text() }),
    emailRefused: text(),
    textRefused: text(),
  }),
  error: group({
    heading: text(60),
    chunk: text(80),
    reload: text(60),
    contact: text(60),
    lead: text(),
    other: text(),
  }),
  notFound: group({
    title: text(55),
    description: description(),
    label: text(30),
    heading: text(80),
    lead: text(),
    home: text(60),
    services: text(60),
    contact: text(60),
  }),
});

export const staticSite = group({
  withoutScript: text(),
  service: text(60),
  newsletter: group({
    write: text(60),
    note: text(),
    subject: text(60),
    sent: text(),
    refused: text(),
    failed: text(),
  }),
});
