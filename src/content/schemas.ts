import * as v from 'valibot';
import {
  count,
  day,
  description,
  email,
  group,
  listOf,
  markdown,
  phone,
  slug,
  text,
  webAddress,
} from './fields.ts';

/** One schema per file of content/. Only the owner's words are in the files; only their shapes are here. */

const company = group({
  name: text(60),
  logoText: text(40),
  phone: phone(),
  email: email(),
  securityContact: v.optional(v.nullable(email())),
  address: listOf(text(80), 1, 8),
  addressNote: v.nullable(text(60)),
  supportHours: text(60),
  registration: group({
    name: v.nullable(text(120)),
    number: v.nullable(text(20)),
    place: v.nullable(text(60)),
    office: v.nullable(text(200)),
    vat: v.nullable(text(20)),
  }),
  promises: group({
    reply: v.nullable(text(80)),
    audit: v.nullable(text(80)),
    test: v.nullable(text(80)),
    accreditations: v.nullable(text(200)),
    memberships: v.nullable(text(200)),
    insurance: v.nullable(text(120)),
  }),
  governingLaw: v.nullable(text(120)),
  governingLawUnfilled: text(120),
  copyrightYear: count(1990, 2100),
  social: group({
    professional: group({ label: text(40), url: webAddress() }),
    photos: group({ label: text(40), url: webAddress() }),
  }),
});

const newsletterBox = { label: text(60), placeholder: text(60), button: text(30), note: text() };

const site = group({
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

const staticSite = group({
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

const pageHead = { title: text(55), description: description() };
/** What pages have that search engines, chats and assistants are to show. */
const foundHead = { ...pageHead, picture: text(60), updated: v.optional(day()) };
const pageOpening = { ...pageHead, label: text(60), heading: text(90), lead: text() };

const home = group({
  ...foundHead,
  hero: group({ label: text(80), heading: text(80), lead: text(), cta: text(50) }),
  intro: group({
    label: text(40),
    heading: text(80),
    points: listOf(
      group({
        title: text(60),
        text: text(),
        steps: v.optional(listOf(group({ name: text(30), text: text() }), 2, 8)),
      }),
      1,
      6,
    ),
  }),
  offer: group({
    label: text(40),
    heading: text(80),
    learnMore: text(30),
    previous: text(40),
    next: text(40),
    slide: text(60),
    cards: listOf(slug(), 1, 12),
  }),
  counters: group({
    label: text(80),
    items: listOf(group({ value: count(0, 1_000_000), label: text(40), seconds: count(1, 60) }), 1, 6),
  }),
  newsletter: group({ heading: text(80), text: text(), ...newsletterBox }),
});

const sample = group({
  label: text(40),
  heading: text(80),
  lead: text(),
  note: text(80),
  stamp: text(20),
  report: text(40),
  severity: text(30),
  scale: listOf(text(20), 2, 6),
  asset: text(30),
  evidence: text(30),
  impact: text(30),
  fix: text(30),
  retest: text(30),
  status: text(30),
  finding: group({
    id: text(20),
    title: text(120),
    severity: text(20),
    asset: text(80),
    evidence: text(),
    exchange: listOf(text(60), 1, 10),
    impact: text(),
    fix: listOf(text(120), 1, 6),
    retest: text(),
  }),
});

const formLabels = { name: text(30), email: text(30), message: text(30), button: text(30), hint: text() };

const services = group({
  ...foundHead,
  ...pageOpening,
  services: listOf(
    group({
      id: slug(),
      name: text(60),
      summary: text(60),
      description: markdown({ least: 120, most: 180 }),
    }),
    1,
    12,
  ),
  engagements: group({
    heading: text(80),
    lead: text(),
    labels: group({ start: text(30), get: text(30) }),
    items: listOf(
      group({
        id: slug(),
        name: text(60),
        what: text(600),
        start: text(600),
        get: text(600),
        urgent: v.optional(text(60)),
        urgentText: v.optional(text()),
      }),
      1,
      12,
    ),
  }),
  solutions: group({
    heading: text(80),
    items: listOf(group({ id: slug(), name: text(60), text: markdown({ least: 80, most: 120 }) }), 1, 6),
  }),
  request: group({
    heading: text(80),
    lead: text(),
    service: text(30),
    choose: text(60),
    ...formLabels,
  }),
});

const contact = group({
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

const faq = group({
  ...foundHead,
  ...pageOpening,
  openAll: text(40),
  closeAll: text(40),
  linkToAnswer: text(40),
  filter: group({
    label: text(60),
    hint: text(60),
    clear: text(30),
    showing: text(60),
    none: text(60),
    noneNext: text(),
    contact: text(30),
  }),
  groups: listOf(
    group({
      id: slug(),
      title: text(60),
      questions: listOf(
        group({ id: slug(), question: text(160), answer: markdown({ least: 40, most: 90 }) }),
      ),
    }),
  ),
});

/** Pages on the way into the newsletter and out of it: some end in a button, and some in the box to ask again. */
const step = { ...pageOpening, nextHeading: text(60), next: markdown() };
const withButton = group({ ...step, button: text(40) });
const withBox = group({ ...step, again: text(60) });

const newsletter = group({
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

const policyFields = { ...foundHead, dateLabel: text(30), date: day(), body: markdown() };
const policy = group(policyFields);

/** The switch in the privacy policy by which a browser is left out of the numbers. */
const privacy = group({
  ...policyFields,
  countSwitch: group({ label: text(60), counted: text(), uncounted: text(), declined: text() }),
});

function hasDoubles(words: string[]): boolean {
  return new Set(words).size < words.length;
}

/** What stands around the posts of the blog. They themselves are files of content/blog/. */
const blog = group({
  ...foundHead,
  ...pageOpening,
  topics: v.pipe(
    listOf(group({ slug: slug(), name: text(40) }), 1, 30),
    v.check(topics => !hasDoubles(topics.map(one => one.slug)), 'has one slug twice'),
    v.check(topics => !hasDoubles(topics.map(one => one.name)), 'has one name twice'),
    v.check(
      topics => topics.every(one => one.slug !== 'index'),
      "has the slug 'index', which hosts take for a folder",
    ),
  ),
  list: group({
    topics: text(40),
    all: text(40),
    topicTitle: text(40),
    topicDescription: description(),
    topicLabel: text(60),
    topicLead: text(),
    pageTitle: text(40),
    pages: text(40),
    place: text(40),
    newer: text(30),
    older: text(30),
    empty: text(),
    feeds: text(40),
    rss: text(30),
    atom: text(30),
  }),
  post: group({
    by: text(80),
    updated: text(30),
    minutes: text(30),
    draft: text(30),
    topics: text(40),
    footnotes: text(40),
    backToText: text(40),
    table: text(40),
    code: text(40),
    callouts: group({
      note: text(30),
      tip: text(30),
      important: text(30),
      warning: text(30),
      caution: text(30),
    }),
    neighbours: text(60),
    newer: text(30),
    older: text(30),
    related: text(40),
    audit: group({ heading: text(80), text: text(), button: text(50) }),
  }),
});

/** What is said of the company where no page is shown: to assistants, and in the data that pages carry. */
const found = group({
  summary: description(),
  notes: listOf(text(), 1, 6),
  headings: group({
    pages: text(40),
    services: text(40),
    engagements: text(40),
    solutions: text(40),
    questions: text(40),
    posts: text(40),
  }),
});

/** It leaves as text/plain, so its body stays text. */
const confirmation = group({
  subject: text(120),
  body: v.pipe(text(20_000), v.includes('{link}', 'lacks {link}, the page that confirms')),
});

/** What stands around each issue of the newsletter. */
const issue = group({
  sender: text(60),
  why: text(),
  leave: text(60),
  address: text(),
  web: text(60),
  picture: text(30),
});

export const schemas = {
  company,
  site,
  static: staticSite,
  home,
  sample,
  services,
  contact,
  faq,
  newsletter,
  blog,
  found,
  privacy,
  terms: policy,
  security: policy,
  letters: group({ 'newsletter-confirm': confirmation, 'newsletter-issue': issue }),
};

export type Content = { [Name in keyof typeof schemas]: v.InferOutput<(typeof schemas)[Name]> };
export type Policy = v.InferOutput<typeof policy>;
