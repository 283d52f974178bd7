import type * as v from 'valibot';
import { day, group, indexedPageMeta, markdown, text } from '../fields.ts';
import { blog } from './blog.ts';
import { company } from './company.ts';
import { contact } from './contact.ts';
import { faq } from './faq.ts';
import { home, sample } from './home.ts';
import { confirmation, issue, newsletter } from './newsletter.ts';
import { services } from './services.ts';
import { found, site, staticSite } from './site.ts';

const policy = group({ ...indexedPageMeta, dateLabel: text(30), date: day(), body: markdown() });

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
  privacy: policy,
  terms: policy,
  security: policy,
  letters: group({ 'newsletter-confirm': confirmation, 'newsletter-issue': issue }),
};

export type Content = { [Name in keyof typeof schemas]: v.InferOutput<(typeof schemas)[Name]> };
export type Policy = v.InferOutput<typeof policy>;
