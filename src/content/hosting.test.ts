import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { adaptToHosting, type Hosting } from './hosting.ts';
import { parseProse, plainText } from './prose.ts';
import { readContent } from './read-content.ts';

const server: Hosting = {};
const mail: Hosting = { contactHost: 'sheets.example' };
const service: Hosting = { contactHost: 'sheets.example', newsletterHost: 'letters.example' };

test.each([
  [server, 'Ours. Always.'],
  [mail, 'At sheets.example. Mail. Always.'],
  [service, 'At sheets.example. To letters.example. Always.'],
])('with %j only the paragraphs whose condition holds are kept', (hosting, expected) => {
  const { prose } = parseProse(
    '{server} Ours.\n\n{static} At {contactHost}.\n\n{newsletterService} To {newsletterHost}.\n\n{newsletterMail} Mail.\n\nAlways.',
  );
  expect(
    adaptToHosting(prose, hosting)
      .map(node => plainText([node]))
      .join(' '),
  ).toBe(expected);
});

test('list entries, in Markdown and in YAML, may have a condition as well', () => {
  const { prose } = parseProse('- one\n- {server} two\n- {static} **three**');
  expect(adaptToHosting(prose, server)).toEqual([['ul', {}, ['li', {}, 'one'], ['li', {}, 'two']]]);
  const words = { steps: ['{static} kept there', '{server} kept here'], other: 'a {name}', date: 1 };
  expect(adaptToHosting(words, mail)).toEqual({ steps: ['kept there'], other: 'a {name}', date: 1 });
});

test.each([
  [{}, 'Stays. Looked at.'],
  [{ keepMessages: '2 years', keepQuarantine: '90 days' }, 'For 2 years. For 90 days.'],
  [{ keepMessages: '1 year' }, 'For 1 year. Looked at.'],
  [mail, ''],
])('with %j the text says how long messages are kept', (hosting, expected) => {
  const { prose } = parseProse(
    '{messagesExpire} For {keepMessages}.\n\n{messagesStay} Stays.\n\n{quarantineExpires} For {keepQuarantine}.\n\n{quarantineStays} Looked at.',
  );
  expect(
    adaptToHosting(prose, hosting)
      .map(node => plainText([node]))
      .join(' '),
  ).toBe(expected);
});

const kept: Hosting = { keepMessages: '2 years', keepQuarantine: '90 days' };

test.each([server, kept, mail, service])('with %j the shipped content keeps no placeholder', hosting => {
  const { content } = readContent(join(root, 'content'));
  expect(content).toBeDefined();
  const words = JSON.stringify(adaptToHosting(content, hosting));
  expect(words).not.toMatch(
    /\{(server|static|newsletterService|newsletterMail|contactHost|newsletterHost|messages\w+|quarantine\w+|keep\w+)\}/,
  );
  const isOurs = hosting === server || hosting === kept;
  expect(words.includes('Messages are stored in our own database')).toBe(isOurs);
  expect(words.includes('Messages are kept by sheets.example')).toBe(!isOurs);
  expect(words.includes('We keep messages for 2 years.')).toBe(hosting === kept);
});
