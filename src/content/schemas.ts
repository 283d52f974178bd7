import type * as v from 'valibot';
import { group } from './fields.ts';
import { blog } from './shapes/blog.ts';
import { company } from './shapes/company.ts';
import { contact } from './shapes/contact.ts';
import { faq } from './shapes/faq.ts';
import { found } from './shapes/found.ts';
import { home, sample } from './shapes/home.ts';
import { confirmation, issue, newsletter } from './shapes/newsletter.ts';
import { policy, privacy } from './shapes/policies.ts';
import { services } from './shapes/services.ts';
import { site, staticSite } from './shapes/site.ts';

/** One schema per file of content/, where only the owner's words are: what they may look like is in shapes/. */
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
