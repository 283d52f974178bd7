/** The owner's words that stand in letters. */
export type LetterWords = {
  /** Who they come from, as a mailbox shows it. */
  sender: string;
  replyTo: string;
  /** With {link} wherever the page that confirms is to be named. */
  confirmation: { subject: string; body: string };
};

/** The pages that a letter leads to. */
export type Links = {
  /** The site's address, without a slash at its end. */
  site: string;
  confirm(token: string): string;
  leave(subscriber: string): string;
};
