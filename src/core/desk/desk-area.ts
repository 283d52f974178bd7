import type { Moment } from '../../lib/format-time.ts';
import type { AnyAnswer } from './answer.ts';
import type { DeskApp, DeskContext } from './desk-deps.ts';
import type { AreaLink } from './page.ts';

/** What a feature adds to the owner's desk, loaded when the desk is opened. `Needs` is what it uses of the services. */
export type DeskArea<Needs = unknown> = {
  /** Its entry in the navigation; without one, other pages lead to its own. */
  link?: AreaLink;
  /** Seldom needed: its entry is below those of the desk itself. */
  isLast?: boolean;
  /** Below which its pages are, where its feature can be switched off: they say so then. */
  path?: string;
  /** On the overview while the feature is off: what goes on all the same. */
  describeWhenOff?(context: DeskContext<Needs>): Promise<OverviewTask | undefined>;
  addRoutes(app: DeskApp, deps: DeskContext<Needs> & { answer: AnyAnswer }): void;
  /** On the page of words and pictures. */
  listWordsLinks?(context: DeskContext<Needs>): { text: string; path: string }[];
  /** At the top of the overview: what waits for an answer. */
  readWaiting?(context: DeskContext<Needs>): Promise<Waiting>;
  /** On the overview: what the owner has to do. `isFailing` knows each launch check by its name. */
  listTasks?(
    context: DeskContext<Needs>,
    isFailing: (check: string) => boolean,
  ): Promise<(OverviewTask | undefined)[]>;
};

export type Waiting = {
  id: string;
  title: string;
  link: { text: string; path: string } | null;
  newest: { path: string; name: string; about: string; start: string; received: Moment }[];
  /** Said where there are none. */
  none: string;
};

/** What leads the owner to something that has to be done. */
export type OverviewTask = { title: string; text: string; link: string; path: string; isUrgent?: boolean };
