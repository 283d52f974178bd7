import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { adaptToHosting, type Hosting } from './hosting.ts';
import { parseProse, plainText } from './prose.ts';
import { readContent } from './read-content.ts';
import type { Content } from './schemas/all-schemas.ts';

const content = readContent(join(root, 'content')).content as Content;
const server: Hosting = {};
const kept: Hosting = { keepMessages: '2 years', keepQuarantine: '90 days' };
const mail: Hosting = { contactHost: 'sheets.example' };
const service: Hosting = { contactHost: 'sheets.example', newsletterHost: 'letters.example' };

test.each([
  [server, 'Ours. Stays. Looked at. Always.'],
  [kept, 'Ours. For 2 years. For 90 days. Always.'],
  [mail, 'At sheets.example. Mail. Always.'],
  [service, 'At sheets.example. To letters.example. Always.'],
])('with %j only the paragraphs whose condition holds are kept', (hosting, expected) => {
  const { prose } = parseProse(
    [
      '{server} Ours.',
      '{static} At {contactHost}.',
      '{newsletterService} To {newsletterHost}.',
      '{newsletterMail} Mail.',
      '{messagesExpire} For {keepMessages}.',
      '{messagesStay} Stays.',
      '{quarantineExpires} For {keepQuarantine}.',
      '{quarantineStays} Looked at.',
      'Always.',
    ].join('\n\n'),
  );
  const adapted = adaptToHosting(prose, hosting).map(node => plainText([node]));
  expect(adapted.filter(Boolean).join(' ')).toBe(expected);
});

test('the shipped content has no placeholder left, whatever the hosting', () => {
  // In the audit's words, {server} is the server that a finding is about.
  const { audit: _, ...others } = content;
  for (const hosting of [server, kept, mail, service])
    expect(JSON.stringify(adaptToHosting(others, hosting))).not.toMatch(
      /\{(server|static|newsletterService|newsletterMail|contactHost|newsletterHost|messages\w+|quarantine\w+|keep\w+)\}/,
    );
});
