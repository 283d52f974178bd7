import type { Signal } from './score-message.ts';

const meanings: Record<Signal, string> = {
  flood: 'it arrived during a flood of messages',
  honeypot: 'the hidden honeypot field was filled in',
  'honeypot text': 'the honeypot contains a link, a long text, or the message itself',
  fast: 'it was sent within two seconds of opening the form',
  links: 'a third or more of it is links',
  markup: 'it contains link markup as used in forums',
  repeats: 'the same text was sent at least three times within a day',
  'many repeats': 'the same text was sent at least ten times within a day',
  campaign: 'the same text was sent at least fifty times within a day',
};

/** An unknown reason, such as one of an older version, is returned unchanged. */
export function explainReasons(reason: string): string[] {
  return reason
    .split(', ')
    .filter(Boolean)
    .map(name => (Object.hasOwn(meanings, name) ? meanings[name as Signal] : name));
}
