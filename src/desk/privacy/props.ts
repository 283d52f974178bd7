import type { Correction } from '../../features/messages/message-fields.ts';
import type { Moment } from '../format-time.ts';

export type StartProps = {
  email?: string;
  references?: string;
  errors: { email?: string; references?: string };
};

/** One thing that is stored about the person. */
export type FindingLine = {
  label: string;
  reference: string;
  state: string;
  at: Moment | null;
  where: string;
  words: string;
};

export type FindingSection = { title: string; about: string; lines: FindingLine[] };

export type TaskLine = { where: string; what: string; references: string[] };

export type PersonProps = {
  id: string;
  email: string;
  sections: FindingSection[];
  /** Where copies were sent that cannot be searched from here. */
  elsewhere: { where: string; references: string[] }[];
  earlier: { text: string; at: Moment }[];
  hashOnly: string | null;
  canExport: boolean;
  canCorrect: boolean;
  canErase: boolean;
  correction: CorrectionForm;
};

export type CorrectionForm = { typed: Correction; errors: Correction };

export type CorrectionProps = {
  id: string;
  change: Correction;
  messages: { reference: string; at: Moment; old: string; new: string }[];
  isSubscriber: boolean;
};

export type EraseProps = {
  id: string;
  email: string;
  erased: FindingSection[];
  mentions: FindingLine[];
  kept: FindingSection[];
  tasks: TaskLine[];
};

export type OutcomeProps = {
  /** What was done, in one sentence each. */
  done: string[];
  /** What could not be done: repeat it, or do it by hand. */
  problems: string[];
  tasks: TaskLine[];
  /** Set where the request goes on. */
  next: { text: string; path: string } | null;
};

export type PrivacyPages = {
  'privacy/start': StartProps;
  'privacy/person': PersonProps;
  'privacy/correct': CorrectionProps;
  'privacy/erase': EraseProps;
  'privacy/outcome': OutcomeProps;
};
