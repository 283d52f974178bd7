import { expect, test } from 'vitest';
import { adaptToHosting, type Hosting } from './hosting.ts';
import { parseProse, plainText } from './prose.ts';

const server: Hosting = {};
const switchedOff: Hosting = { audit: 'off' };
const kept: Hosting = { keepMessages: '2 years', keepQuarantine: '90 days' };
const mail: Hosting = { contactHost: 'sheets.example' };
const service: Hosting = { contactHost: 'sheets.example', newsletterHost: 'letters.example' };

test.each([
  [server, 'Ours. Automatic. Stays. Looked at. Always.'],
  [switchedOff, 'Ours. Stays. Looked at. Always.'],
  [kept, 'Ours. Automatic. For 2 years. For 90 days. Always.'],
  [mail, 'At sheets.example. Mail. Always.'],
  [service, 'At sheets.example. To letters.example. Always.'],
])('with %j only the paragraphs whose condition holds are kept', (hosting, expected) => {
  const { prose } = parseProse(
    [
      '{server} Ours.',
      '{audit} Automatic.',
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
