import type { CorrectableField, Correction, Task } from '../../../core/personal-data.ts';
import type { Moment } from '../../../lib/format-time.ts';
import type { listErasure } from './list-sections.ts';
import type { readPerson } from './read-person.ts';

export type StartProps = {
  email?: string;
  references?: string;
  errors: { email?: string; references?: string };
};

type Person = Awaited<ReturnType<typeof readPerson>>;
export type FindingSection = Person['sections'][number];
/** One thing that is stored about the person. */
export type FindingLine = FindingSection['lines'][number];

export type PersonProps = Person & Fields & { id: string; email: string; correction: CorrectionForm };

export type CorrectionForm = { typed: Correction; errors: Correction };
type Fields = { fields: readonly CorrectableField[] };

export type CorrectionProps = Fields & {
  id: string;
  change: Correction;
  messages: { reference: string; at: Moment; old: string; new: string }[];
  /** What happens besides the correction of messages, and its words on the button. */
  effects: { text: string; button: string }[];
};

export type EraseProps = ReturnType<typeof listErasure> & { id: string; email: string; tasks: Task[] };

export type OutcomeProps = {
  /** What was done, in one sentence each. */
  done: string[];
  /** What could not be done: repeat it, or do it by hand. */
  problems: string[];
  tasks: Task[];
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
