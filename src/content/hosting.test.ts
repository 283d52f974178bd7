import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { fitToHosting, type Hosting } from './hosting.ts';
import { parseProse, plainText } from './prose.ts';
import { readContent } from './read.ts';

const server: Hosting = {};
const mail: Hosting = { contactHost: 'sheets.example' };
const service: Hosting = { contactHost: 'sheets.example', newsletterHost: 'letters.example' };

test.each([
  [server, 'Ours. Always.'],
  [mail, 'At sheets.example. Mail. Always.'],
  [service, 'At sheets.example. To letters.example. Always.'],
])('with %j the paragraphs are those that are true', (hosting, expected) => {
  const { prose } = parseProse(
    '{server} Ours.\n\n{static} At {contactHost}.\n\n{newsletterService} To {newsletterHost}.\n\n{newsletterMail} Mail.\n\nAlways.',
  );
  expect(
    fitToHosting(prose, hosting)
      .map(node => plainText([node]))
      .join(' '),
  ).toBe(expected);
});

test('entries of lists, in Markdown and in YAML, may be marked as well', () => {
  const { prose } = parseProse('- one\n- {server} two\n- {static} **three**');
  expect(fitToHosting(prose, server)).toEqual([['ul', {}, ['li', {}, 'one'], ['li', {}, 'two']]]);
  const words = { steps: ['{static} kept there', '{server} kept here'], other: 'a {name}', date: 1 };
  expect(fitToHosting(words, mail)).toEqual({ steps: ['kept there'], other: 'a {name}', date: 1 });
});

test.each([server, mail, service])('with %j the words that ship keep no mark', hosting => {
  const { content } = readContent(join(root, 'content'));
  expect(content).toBeDefined();
  const words = JSON.stringify(fitToHosting(content, hosting));
  expect(words).not.toMatch(
    /\{(server|static|newsletterService|newsletterMail|contactHost|newsletterHost)\}/,
  );
  expect(words.includes('Messages are stored in our own database')).toBe(hosting === server);
  expect(words.includes('Messages are kept by sheets.example')).toBe(hosting !== server);
});
