import type { Hono } from 'hono';
import type { ContentEditor } from '../content/editing/save-changes.ts';
import type { Answer } from './answer.ts';
import type { SharedPages } from './page.ts';

export type DeskApp = Hono;

/** What every area gets; `Needs` is what it uses of the services. */
export type DeskContext<Needs> = {
  services: Needs;
  /** Below which this process serves the desk; links go through desk-url.ts. */
  prefix: string;
  /** The folder of the project, with content/ and dist/. */
  root: string;
  /** All areas save content/ through it, so that every change can be undone. */
  editor: ContentEditor;
  /** Released when the desk is closed. */
  cleanup: AsyncDisposableStack;
};

/** For the routes of an area: its views are `Pages`. */
export type DeskDeps<Needs, Pages> = DeskContext<Needs> & { answer: Answer<Pages & SharedPages> };
