import type { Payload } from '../../../core/outbox/delivery.ts';
import { escapeInvisible, escapeInvisibleLines } from '../../../lib/escape-invisible.ts';
import { detailFields } from '../message-fields.ts';
import { assertForOwner } from '../payloads.ts';

/** A Teams card has at most 28 KB, of which a character may take ten bytes. */
const max = { characters: 1500, lines: 40, field: 254 };

function chatText(payload: Payload, isPossibleDuplicate: boolean): { title: string; lines: string[] } {
  assertForOwner(payload);
  const { reference } = payload;
  const mark = isPossibleDuplicate ? ['(possible duplicate: same reference)'] : [];
  const { lines, isTruncated } = truncateLines(payload.kind === 'notice' ? payload.text : payload.message);
  const more = isTruncated ? ['(shortened: the whole text is in the database)'] : [];
  if (payload.kind === 'notice') {
    return { title: payload.title, lines: [...lines, ...more, `Reference: ${reference}`, ...mark] };
  }
  const fields = detailFields.flatMap(({ name, label }) => {
    const value = payload[name].trim();
    return value ? [`${label}: ${escapeInvisible(truncate(value, max.field))}`] : [];
  });
  const report =
    payload.auditReport === undefined ? [] : [`Audit report: npm run inbox -- show ${reference}`];
  return {
    title: `Website message ${reference}`,
    lines: [...fields, ...lines.map(line => `| ${line}`.trimEnd()), ...more, ...report, ...mark],
  };
}

function truncateLines(text: string): { lines: string[]; isTruncated: boolean } {
  const whole = text.trimEnd();
  const short = truncate(whole, max.characters);
  const lines = escapeInvisibleLines(short);
  return { lines: lines.slice(0, max.lines), isTruncated: short !== whole || lines.length > max.lines };
}

function truncate(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}

/** Formatting and previews are off, so that no visitor's link is fetched. */
export function slackBody(payload: Payload, isPossibleDuplicate: boolean) {
  const { title, lines } = chatText(payload, isPossibleDuplicate);
  return {
    text: [title, ...lines].map(escapeSlack).join('\n'),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Slack reads <!channel>; others notify everybody at a bare @here, so a zero-width space follows such an @. */
function escapeSlack(line: string): string {
  return line
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/(?<![\p{L}\p{N}])@(?=\S)/gu, '@\u200b');
}

export function teamsBody(payload: Payload, isPossibleDuplicate: boolean) {
  const { title, lines } = chatText(payload, isPossibleDuplicate);
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

function block(text: string) {
  return { type: 'TextBlock', text: escapeMarkdown(text) || '\u00a0', wrap: true };
}

function escapeMarkdown(line: string): string {
  return line
    .replaceAll(/[\\`*_{}[\]()<>#~|!&$]/g, '\\$&')
    .replace(/^(\s*)([-+=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2');
}
