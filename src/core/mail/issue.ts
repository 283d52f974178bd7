import type { ContentError } from '../content/content-error.ts';
import type { Prose } from '../content/prose.ts';

/** What the newsletter can send, whichever feature it comes from. */
export type Issue = {
  name: string;
  hash: string;
  subject: string;
  preview: string;
  webUrl?: string;
  body: Prose;
};

export type IssueResult = { issue?: Issue; errors: ContentError[] };
