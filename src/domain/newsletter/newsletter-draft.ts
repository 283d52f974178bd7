import type { Prose } from '../../content/prose.ts';

export type Draft = {
  subject: string;
  preview: string;
  web?: string;
  body: Prose;
};

export type IssueWords = {
  sender: string;
  why: string;
  leave: string;
  address: string;
  web: string;
  /** Before a picture's alternative text: no picture is sent. */
  picture: string;
};
