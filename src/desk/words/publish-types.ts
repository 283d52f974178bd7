import type { Moment } from '../format-time.ts';

export type PublishError = { text: string; editor?: { file: string; path: string } };

export type PublishProps = {
  /** Of content/, since the last publish. */
  files: { file: string; change: 'new' | 'changed' | 'deleted' }[];
  /** Other reasons why the published site is not the present one. */
  reason?: string;
  errors: PublishError[];
  isFirst: boolean;
  publish:
    | { state: 'idle' }
    | { state: 'running'; steps: { text: string; state: 'done' | 'running' | 'waiting' }[] }
    | { state: 'published'; at: Moment; seconds: number; warnings: string[] }
    | { state: 'failed'; at: Moment; isBusy: boolean; errors: PublishError[] };
  siteUrl: string;
  /** It has no public address yet, so its link works only in a browser on its own machine. */
  isSiteLocal: boolean;
  isSiteRunning: boolean;
};
