import type { Outcome, Receiver } from '../delivery.ts';

/** A composed mail, ready to be handed on. */
export type Letter = { reference: string; date: Date; from: string; to: string; bytes: Buffer };

/** Takes letters somewhere: to a mail server, into a folder. */
export type Carrier = Pick<Receiver, 'lowSpace'> & {
  place: string;
  isUpserting: boolean;
  carry(letter: Letter, signal: AbortSignal): Promise<Outcome>;
  find?(letter: Pick<Letter, 'reference' | 'date'>): Promise<boolean>;
  close(): void;
};
