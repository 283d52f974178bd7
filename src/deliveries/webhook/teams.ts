import type { Parcel } from '../delivery.ts';
import { chatText } from './chat-lines.ts';

/** A card as the workflows of Teams want it: a block of text for each line, so that no line reaches into another. */
export function teamsBody(parcel: Parcel, isPossiblyTwice: boolean) {
  const { title, lines } = chatText(parcel, isPossiblyTwice);
  const body = [
    { ...block(title), weight: 'Bolder' },
    ...lines.map(line => ({ ...block(line), spacing: 'None' })),
  ];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body,
        },
      },
    ],
  };
}

/** An empty block is not shown, and then an empty line would be missing. */
function block(text: string) {
  return { type: 'TextBlock', text: plain(text) || '\u00a0', wrap: true };
}

/** Text blocks understand Markdown and {{DATE(…)}}: every sign of theirs is escaped, also those that begin a list. */
function plain(line: string): string {
  return line
    .replaceAll(/[\\`*_{}[\]()<>#~|!&$]/g, '\\$&')
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2');
}
