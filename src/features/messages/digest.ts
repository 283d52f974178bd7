import type { MessageRow } from '../../core/database/tables.ts';
import { replaceControls } from '../../lib/control-characters.ts';

export const digestLimit = 100;

export function formatDigest(
  messages: readonly MessageRow[],
  total: number,
): { title: string; text: string } {
  const title = `Website: ${total} ${total === 1 ? 'message' : 'messages'} in quarantine`;
  const rest = total - messages.length;
  const parts = [
    'These messages were stored and quarantined. They have not been delivered.',
    ...messages.map(describeMessage),
    ...(rest > 0 ? [`And ${rest} more. To see them all: npm run inbox -- list --state quarantined`] : []),
    'To release one: npm run inbox -- release REFERENCE',
    'To release all that have one of these reasons: npm run inbox -- release --reason REASON',
    'To read one, and why it was quarantined: npm run inbox -- show REFERENCE',
  ];
  return { title, text: `${parts.join('\n\n')}\n` };
}

function describeMessage(row: MessageRow): string {
  const sender = [row.name, row.email].map(oneLine).filter(Boolean).join(', ') || '(no sender)';
  return [
    `${row.reference}  ${row.received_at}  ${row.quarantine_reason}`,
    `  From: ${defang(sender.slice(0, 200))}`,
    `  > ${defang([...oneLine(row.message)].slice(0, 200).join('')) || '(no text)'}`,
    `  npm run inbox -- release ${row.reference}`,
  ].join('\n');
}

function oneLine(text: string): string {
  return replaceControls(text).trim();
}

function defang(text: string): string {
  return text
    .replaceAll(/htt(ps?)(?=:)/gi, 'hxx$1')
    .replaceAll('://', '[:]//')
    .replaceAll(/(?<=[^\s.])[.\u3002\uff0e\uff61](?=[^\s.])/gu, '[.]');
}
