import type { Hono } from 'hono';
import type { Services } from '../server/wire.ts';
import type { Answer } from './answer.ts';

export type DeskApp = Hono;

/** What the routes of every area get. */
export type DeskDeps = {
  services: Services;
  answer: Answer;
  /** Below which this process serves the desk; links go through desk-url.ts. */
  prefix: string;
  /** The folder of the project, with content/ and dist/. */
  root: string;
  /** Released when the desk is closed. */
  cleanup: AsyncDisposableStack;
};
