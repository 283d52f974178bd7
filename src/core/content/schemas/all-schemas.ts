import * as v from 'valibot';
import { audit } from '../../../features/audit/schemas/audit.ts';
import { blog } from '../../../features/blog/schemas/blog.ts';
import {
  acknowledgementMail,
  confirmationMail,
  issueMail,
  newsletter,
} from '../../../features/newsletter/schemas/newsletter.ts';
import { sample } from '../../../features/sample-report/schemas/sample.ts';
import { company } from '../../../features/site/schemas/company.ts';
import { home } from '../../../features/site/schemas/home.ts';
import { services } from '../../../features/site/schemas/services.ts';
import { seo, site, staticSite } from '../../../features/site/schemas/site.ts';
import {
  day,
  formLabels,
  indexedPageMeta,
  listOf,
  markdown,
  pageHeader,
  slug,
  strictObject,
  text,
  texts,
} from '../fields.ts';
import { type Brand, brand } from './brand.ts';

const contact = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  audit: strictObject({
    heading: text(80),
    lead: text(),
    points: listOf(strictObject({ title: text(60), text: text(600) }), 1, 6),
  }),
  about: strictObject({ heading: text(60), text: markdown() }),
  promises: strictObject(
    texts(40, ['reply', 'audit', 'test', 'accreditations', 'memberships', 'insurance', 'people']),
  ),
  work: strictObject({ heading: text(60), text: markdown() }),
  form: strictObject({ heading: text(60), ...formLabels }),
  details: strictObject({ heading: text(60), ...texts(30, ['phone', 'email', 'address', 'hours']) }),
  next: strictObject({ heading: text(60), steps: listOf(text(), 1, 6) }),
  urgent: strictObject({ heading: text(60), text: text() }),
});

const faq = strictObject({
  ...indexedPageMeta,
  ...pageHeader,
  ...texts(40, ['openAll', 'closeAll', 'linkToAnswer', 'ask']),
  popular: v.optional(strictObject({ heading: text(40), questions: listOf(slug(), 1, 5) })),
  filter: strictObject({
    ...texts(60, ['label', 'hint', 'showing', 'none']),
    ...texts(30, ['clear', 'contact']),
    noneNext: text(),
  }),
  groups: listOf(
    strictObject({
      id: slug(),
      title: text(60),
      questions: listOf(
        strictObject({ id: slug(), question: text(160), answer: markdown({ min: 40, max: 90 }) }),
      ),
    }),
  ),
});

const policy = strictObject({
  ...indexedPageMeta,
  dateLabel: text(30),
  date: day(),
  short: v.optional(listOf(text(160), 1, 4)),
  body: markdown(),
});

export const schemas = {
  brand,
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
  seo,
  privacy: policy,
  terms: policy,
  security: policy,
  audit,
  'audit-about': policy,
  acknowledgementMail,
  confirmationMail,
  issueMail,
};

export type Content = {
  [Name in Exclude<keyof typeof schemas, 'brand'>]: v.InferOutput<(typeof schemas)[Name]>;
} & {
  brand: Brand;
};
export type Policy = v.InferOutput<typeof policy>;
