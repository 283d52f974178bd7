import type { Signal } from './score-message.ts';

const meanings: Record<Signal, string> = {
  flood: 'it came while more messages arrived than people send',
  trap: 'something stood in a field that nobody sees',
  'trap text': 'and it was written: a link, a long text, or the message itself',
  fast: 'it was sent within two seconds of opening the form',
  links: 'a third or more of it is links',
  markup: 'it holds links as they are written for forums',
  repeats: 'the same words came twice before within a day',
  'many repeats': 'the same words came nine times before within a day, or more often',
  campaign: 'the same words came fifty times within a day, or more often',
};

/** A reason of an older version stays as it is. */
export function explainReasons(reason: string): string[] {
  return reason
    .split(', ')
    .filter(Boolean)
    .map(name => (Object.hasOwn(meanings, name) ? meanings[name as Signal] : name));
}
