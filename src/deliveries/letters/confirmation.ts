import type { ConfirmationParcel } from '../delivery.ts';
import type { Mail } from '../mail/compose.ts';
import type { LetterWords, Links } from './words.ts';

/** Asks whether the address is its owner's. Anybody can have it sent to anybody, so nothing in it is the visitor's. */
export function confirmationLetter(
  { token }: ConfirmationParcel,
  { confirmation }: LetterWords,
  links: Links,
): Pick<Mail, 'subject' | 'text'> {
  const link = links.confirm(token);
  return {
    subject: confirmation.subject,
    // By a function: in a text that replaces, $& and its like are signs.
    text: `${confirmation.body.replaceAll('{link}', () => link).trimEnd()}\n`,
  };
}
