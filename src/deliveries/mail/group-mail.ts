import type { GroupedMessage, MessageGroup } from '../delivery.ts';
import type { Mail } from './compose-mail.ts';
import { formatDetails, quote } from './notification-mail.ts';

export function createGroupMail(
  { reference, at, messages, waiting, hasTexts }: MessageGroup,
  to: string,
): Mail {
  const oldest = messages.map(({ receivedAt }) => receivedAt).sort()[0] ?? at;
  const list = `npm run inbox -- list --since ${oldest.slice(0, 16)}Z`;
  const hasDuplicates = messages.some(({ isPossibleDuplicate }) => isPossibleDuplicate);
  const parts = [
    hasTexts
      ? 'Many messages arrived at once, so they are combined in one email. A reply to it does not reach the senders.'
      : 'Many messages arrived at once. The mail server rejected an email with their text, so this one only lists them.',
    ...(hasTexts ? messages.map(describeMessage) : [messages.map(formatHeading).join('\n')]),
    ...(waiting > 0 ? [`${waiting} more will be in the next email. To see them all now: ${list}`] : []),
    'To read a message in full: npm run inbox -- show REFERENCE',
    ...(hasTexts ? [] : [`To read them all: ${list}`]),
    ...(hasDuplicates ? [duplicateNote] : []),
  ];
  return {
    reference,
    date: new Date(at),
    to,
    subject: `Website: ${messages.length} messages`,
    text: `${parts.join('\n\n')}\n`,
    headers: hasDuplicates ? { 'X-Possible-Duplicate': 'yes' } : {},
  };
}

const duplicateNote =
  'Messages marked (possible duplicate) may also be in an earlier email: it is not known whether that one arrived.';

function describeMessage(message: GroupedMessage): string {
  return [
    formatHeading(message),
    ...formatDetails(message),
    quote(message.message),
    ...(message.isTruncated ? [`(shortened: npm run inbox -- show ${message.reference})`] : []),
  ].join('\n');
}

function formatHeading({ reference, receivedAt, isPossibleDuplicate }: GroupedMessage): string {
  const time = receivedAt.slice(0, 19).replace('T', ' ');
  return `${reference}  ${time} UTC${isPossibleDuplicate ? '  (possible duplicate)' : ''}`;
}
