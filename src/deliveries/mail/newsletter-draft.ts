import type { Prose } from '../../content/prose.ts';

export type NewsletterDraft = {
  subject: string;
  preview: string;
  web?: string;
  body: Prose;
};

export type NewsletterTexts = {
  sender: string;
  why: string;
  leave: string;
  address: string;
  web: string;
  picture: string;
};
