import type { Hono } from 'hono';
import type { ContentEditor } from '../content/editing/save-changes.ts';
import type { Answer } from './answer.ts';
import type { SharedPages } from './page.ts';

export type DeskApp = Hono;

/** What the routes of an area get: what they use of the services, and an answer for its views. */
export type DeskDeps<Services, Pages> = {
  services: Services;
  answer: Answer<Pages & SharedPages>;
  /** Below which this process serves the desk; links go through desk-url.ts. */
  prefix: string;
  /** The folder of the project, with content/ and dist/. */
  root: string;
  /** All areas save content/ through it, so that every change can be undone. */
  editor: ContentEditor;
  /** Released when the desk is closed. */
  cleanup: AsyncDisposableStack;
};
