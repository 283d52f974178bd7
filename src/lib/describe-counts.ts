import { formatCount, joinWithAnd } from './format-count.ts';

const nouns: Record<string, string> = {
  messages: 'message',
  notes: 'note',
  mentions: 'mention',
  deliveries: 'delivery',
  subscribers: 'subscriber',
  sign_ups: 'sign-up',
  newsletter_issues: 'newsletter issue',
  newsletter: 'newsletter subscription',
  reports: 'audit report',
  rows: 'row',
  redacted: 'redacted row',
  mails: 'mail',
  temporaryFiles: 'temporary file',
};

/** '1,204 messages, 2,408 deliveries and 3 subscribers'; '' if every count is 0. Other counts are left out. */
export function describeCounts(counts: Record<string, number>): string {
  return joinWithAnd(
    Object.entries(nouns).flatMap(([name, noun]) => {
      const number = counts[name] ?? 0;
      return number > 0 ? [formatCount(number, noun)] : [];
    }),
  );
}
