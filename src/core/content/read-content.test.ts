import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { readContent, readSite } from '../../apps/content.ts';
import { createState, readState, updateState } from '../../apps/desk/words/form-state.ts';
import { contentParts } from '../../features.content.ts';
import { describeContentError } from './content-error.ts';
import type { FormField } from './editing/form-types.ts';
import { openFile } from './editing/open-file.ts';
import { isSwitchedOn, listSwitchedOff } from './switches.ts';

/** Each test edits a copy of the shipped content. */
let folder: string;
beforeEach(() => {
  folder = createTempFolder();
  cpSync(join(root, 'content'), folder, { recursive: true, filter: path => !path.endsWith('content/blog') });
});

const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const put = (file: string, text: string | Buffer) => writeFileSync(join(folder, file), text);
const findErrors = () => readContent(folder).errors.map(describeContentError);

function edit(file: string, found: RegExp, written: string): void {
  if (!found.test(read(file))) throw new Error(`${file} has no ${found}`);
  put(
    file,
    read(file).replace(found, () => written),
  );
}

/** Makes the edits of a file, and returns the errors that they should lead to, at the lines of what was written. */
function spoil(file: string, edits: [found: RegExp, written: string, error: string][]): string[] {
  for (const [found, written] of edits) edit(file, found, written);
  return edits.map(([, written, error]) => {
    const line = read(file).slice(0, read(file).indexOf(written.trimStart())).split('\n').length;
    return `content/${file} line ${line}: ${error}`;
  });
}

const lineOf = (file: string, found: RegExp) =>
  read(file).slice(0, read(file).search(found)).split('\n').length;

test("placeholders are filled with the company's fields, in files with any line endings", () => {
  edit('brand/brand.yaml', /^name: .*$/m, 'name: Quiet & Sons');
  edit('company.yaml', /^governingLaw: .*$/m, 'governingLaw: the law of the sea');
  edit('site.yaml', /(?<=^ {2}sent: ).*$/m, 'Thanks from {company.name}');
  for (const file of ['brand/brand.yaml', 'privacy.md'])
    put(file, `\uFEFF${read(file).replaceAll('\n', '\r\n')}`);
  const { content, errors, warnings } = readContent(folder);
  expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
  expect(content?.site.notices.sent).toBe('Thanks from Quiet & Sons');
  expect(JSON.stringify(content?.terms.body)).toContain('the law of the sea');
  expect(JSON.stringify(content)).not.toMatch(/\{company\./);
  // These are filled later.
  expect(content?.site.error.chunk).toContain('{name}');
  expect(content?.confirmationMail.body).toContain('{link}');
});

test('the phone number is a link on pages, but not in emails, and an unfilled governing law is a warning', () => {
  edit('company.yaml', /^governingLaw: .*$/m, 'governingLaw: null');
  const { content, errors, warnings } = readContent(folder);
  const phone = ['a', { href: 'tel:02079460123', class: 'whitespace-nowrap' }, '020 7946 0123'];
  expect(content?.terms.body.at(-1)).toContainEqual(phone);
  expect(JSON.stringify(content?.acknowledgementMail)).not.toContain('tel:');
  expect(errors).toEqual([]);
  expect(warnings).toEqual([expect.stringMatching(/^content\/company\.yaml: governingLaw is unfilled/)]);
});

test('every error is reported with file, line, field and reason, and no content is returned', () => {
  const expected = [
    ...spoil('brand/brand.yaml', [
      [/^name: .*$/m, 'name: 42', 'name is 42, expected text; put it in quotation marks'],
      [/^copyrightYear: .*$/m, 'copyrightYear: now', "copyrightYear is 'now', expected a year"],
      [/url: .*$/m, 'url: http://a.example', "url is 'http://a.example', expected an address that begins"],
      [/path: \/creator$/m, 'path: creator', "path is 'creator', expected a path such as /contact"],
      [
        /links:\n(?= {6}- label: About)/,
        'links:\n      - { label: Case Studies, path: / }\n',
        'links uses a',
      ],
      [/counters: true/, 'counters: yes', 'counters is "yes", expected true or false'],
    ]),
    ...spoil('company.yaml', [
      [/^(?=phone:)/m, 'name: Old\n', 'name now belongs in content/brand/brand.yaml; move it there'],
      [/^(?=phone:)/m, 'colour: green\n', 'colour is not a field of this file'],
      [/^phone: .*$/m, 'phone: call us', "phone is 'call us', expected digits and spaces"],
      [/^email: .*$/m, 'email: a@b', "email is 'a@b', expected an email address"],
      [/^address:(\n .*)*/m, 'address: []', 'address has 0 entries, at least 1 are needed'],
      [/^supportHours: .*$/m, 'supportHours: " "', 'supportHours is empty'],
      [/^registration:(\n .*)*/m, 'registration: x', 'registration is "x", expected a group of fields'],
    ]),
    ...spoil('home.yaml', [
      [/(?<=^ {2}cards:\n).*$/m, '    - moon', "cards lists 'moon', which is not a service in services.yaml"],
    ]),
    ...spoil('sample.yaml', [
      [/^ {4}severity: High$/m, '    severity: x', "severity is 'x', expected one of Low, Medium, High"],
    ]),
    ...spoil('services.yaml', [
      [/summary: .*/, `summary: ${'x'.repeat(212)}`, 'summary is 212 characters, limit 60'],
      [/id: consulting/, 'id: Our Help', "id is 'Our Help', expected lower-case words joined by hyphens"],
    ]),
    ...spoil('contact.yaml', [
      [/(?<=^ {2}steps:\n).*$/m, '    - A {toString}', 'entry 1 of steps uses the unknown placeholder'],
    ]),
    ...spoil('faq.yaml', [
      [/answer: \|\n( {10}.*\n)+/, 'answer: Yes.\n', 'answer has 1 words, expected 40 to 90'],
      [/id: what-is-locker-security/, 'id:   services', "id 'services' is used twice; ids must be unique"],
    ]),
    ...spoil('privacy.md', [
      [/^date: .*$/m, 'date: 2024-02-30', "date is '2024-02-30', expected a date such as 2024-07-15"],
      [/\n+$/, '\n\n![a cat](/cat.png)\n', 'body contains a picture, which is not supported here'],
    ]),
    ...spoil('terms.md', [[/^(?=title: )/m, 'body: here\n', 'body belongs below the second line of ---']]),
    ...spoil('security.md', [[/\n+$/, '\n\nCall {phone}.\n', 'body uses the unknown placeholder {phone}']]),
  ];
  const { content, errors } = readContent(folder);
  expect(content).toBeUndefined();
  const described = errors.map(describeContentError);
  expect(described.filter(line => !expected.some(one => line.startsWith(one)))).toEqual([]);
  expect(expected.filter(one => !described.some(line => line.startsWith(one)))).toEqual([]);
});

test('pages have titles and descriptions of their own that are short enough', () => {
  edit('brand/brand.yaml', /^name: .*$/m, 'name: Wardhouse Brothers');
  edit('blog.yaml', /topicTitle: .*$/m, 'topicTitle: "All of our blog on {topic}"');
  const long = "title is 53 characters, limit 44, because ' – Wardhouse Brothers' is added to it";
  const same = 'title is the same as in privacy.md; each page needs its own';
  const expected = [
    ...spoil('services.yaml', [[/^title: .*$/m, `title: ${'Services '.repeat(6).trim()}`, long]]),
    ...spoil('terms.md', [[/^title: .*$/m, 'title: Privacy Policy', same]]),
    ...spoil('blog.yaml', [
      [/name: Testing$/m, `name: ${'Testing and '.repeat(3)}more`, 'name makes the title of its page'],
    ]),
  ];
  expect(findErrors()).toEqual(expected.map(line => expect.stringContaining(line)));
});

test('a preview shows what can be shown but not published', () => {
  edit('terms.md', /^title: .*$/m, 'title: Privacy Policy');
  edit('brand/brand.yaml', /\bmuted: /, 'muted: "#777" # ');
  expect(readContent(folder).content).toBeUndefined();
  const { content, errors } = readContent(folder, { isPreview: true });
  expect(content?.terms.title).toBe('Privacy Policy');
  expect(errors.map(({ field }) => field)).toEqual(['muted', 'title']);
});

test('a missing field is reported at the group it is missing from', () => {
  edit('brand/brand.yaml', /^logoText: .*\n/m, '');
  edit('company.yaml', /^ {2}number: .*\n/m, '');
  edit('emails/confirmation.md', /^\{link\}$/m, 'Nowhere');
  const body = lineOf('emails/confirmation.md', /^Hello/m);
  expect(findErrors()).toEqual([
    `content/company.yaml line ${lineOf('company.yaml', /^registration:/m)}: number is missing`,
    `content/brand/brand.yaml line ${lineOf('brand/brand.yaml', /^name: /m)}: logoText is missing`,
    `content/emails/confirmation.md line ${body}: body is missing {link}, the address of the confirmation page`,
  ]);
});

test('a misspelt field is one error, which names the missing field', () => {
  const reason = (written: string, meant: string) =>
    `${written} is not a field of this file; did you mean ${meant}?`;
  const expected = [
    ...spoil('company.yaml', [[/^phone:/m, 'phnoe:', reason('phnoe', 'phone')]]),
    ...spoil('faq.yaml', [[/question:/, 'qestion:', reason('qestion', 'question')]]),
  ];
  expect(findErrors()).toEqual(expected);
});

test('YAML that cannot be read hides no error of its own file or of another', () => {
  edit('company.yaml', /^(?=phone: )/m, 'phone: "0"\n');
  const company = spoil('company.yaml', [
    [/^phone: "020.*$/m, 'phone: "020 7946 0999"', 'phone is already used above'],
    [/^supportHours: .*$/m, 'supportHours: 9', 'supportHours is 9, expected text; put it in quotation marks'],
  ]);
  const bracket = spoil('faq.yaml', [
    [/^label: .*$/m, 'label: [not, closed', 'has a bracket that is not closed'],
  ]);
  const empty = spoil('terms.md', [[/^title: .*$/m, 'title:\n', 'title is empty, expected text']]);
  expect(findErrors()).toEqual([...company, ...bracket, ...empty]);
});

test('a file of another type is reported once', () => {
  put('company.yaml', '');
  put('home.yaml', Buffer.from('a: 1\n# caf\xe9', 'latin1'));
  put('sample.yaml', 'x: y\n'.repeat(300_000));
  put('privacy.md', 'Just words.\n');
  put('terms.md', '---\ntitle: Terms\n---');
  rmSync(join(folder, 'security.md'));
  const found = findErrors();
  for (const line of [
    'content/company.yaml line 1: is empty, expected a group of fields',
    'content/home.yaml line 2: is not UTF-8 text; save the file as UTF-8',
    'content/sample.yaml line 1: the file is 1500 kB, limit 200 kB',
    'content/privacy.md line 1: must begin with its fields between two lines of ---',
    'content/terms.md line 3: body is empty',
    'content/security.md line 1: the file is missing',
  ])
    expect(found.filter(one => one.startsWith(line))).toHaveLength(1);
});

const bomb = [
  'l0: &l0 [x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`)}]`),
].join('\n');
const logo = (shapes: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${shapes}</svg>`;

test.each([
  ['aliases', 'faq.yaml', bomb, 'line 2: has a text that begins with *'],
  [
    'fields',
    'faq.yaml',
    Array.from({ length: 12_000 }, (_, at) => `k${at}: x`).join('\n'),
    'line 1: has more than 20,000 fields',
  ],
  ['levels', 'faq.yaml', `a:\n  ${'- '.repeat(20_000)}x`, 'line 2: is nested too deeply'],
  ['levels of brackets', 'faq.yaml', `a: ${'['.repeat(20_000)}`, 'line 1: is nested too deeply'],
  [
    'levels of lists',
    'terms.md',
    `---\ntitle: A\n---\n\n${'- '.repeat(3000)}x`,
    'line 5: body is nested too deeply',
  ],
  [
    'emphasis',
    'terms.md',
    `---\ntitle: A\n---\n\n${'*a**b '.repeat(9000)}`,
    'line 5: body has a paragraph longer than 20,000',
  ],
  [
    'groups in the logo',
    'brand/logo.svg',
    logo('<g>'.repeat(20_000) + '</g>'.repeat(20_000)),
    'line 1: is nested more than 50 levels deep',
  ],
  [
    'shapes in the logo',
    'brand/logo.svg',
    logo('<g/>'.repeat(40_000)),
    'line 1: has more than 2,000 elements',
  ],
])('very many %s are an error of the file, found in a moment', (_, file, text, line) => {
  put(file, text);
  const start = process.cpuUsage().user;
  expect(findErrors().join('\n')).toContain(`content/${file} ${line}`);
  if (file.endsWith('.yaml')) expect(openFile(contentParts, folder, file)).toHaveProperty('error.file', file);
  expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(5);
});

test('an error quotes long input shortened and without control characters', () => {
  edit('company.yaml', /^email: .*$/m, `email: ${'x '.repeat(100)}\ncol\u001B[31mour: 1`);
  for (const line of findErrors()) expect(line).toMatch(/^[\P{Cc}]{1,160}$/u);
});

test('a feature is on unless it is switched off, and one that there is not is an error', () => {
  expect(listSwitchedOff(folder)).toEqual([]);
  edit(
    'site.yaml',
    /^(?=header:)/m,
    'features:\n  blog: false\n  audit: true\n  newslettre: false\n  shop: true\n\n',
  );
  expect(isSwitchedOn(folder, 'blog')).toBe(false);
  expect(isSwitchedOn(folder, 'sample-report')).toBe(true);
  const lineOfName = (name: string) => lineOf('site.yaml', new RegExp(`^  ${name}:`, 'm'));
  expect(readSite(folder).errors.map(describeContentError)).toEqual([
    `content/site.yaml line ${lineOfName('newslettre')}: newslettre is not a feature; did you mean newsletter?`,
    `content/site.yaml line ${lineOfName('shop')}: shop is not a feature; expected one of newsletter, blog, audit, sample-report`,
  ]);
});

test('the form has a box for each optional feature, ticked where the file does not say', () => {
  const { form, fields } = openFile(contentParts, folder, 'site.yaml').opened ?? {};
  expect(Object.keys(form?.fields?.features?.fields ?? {})).toEqual([
    'newsletter',
    'blog',
    'audit',
    'sample-report',
  ]);
  const state = createState(form as FormField, fields);
  expect(readState(form as FormField, state, fields)).toEqual(fields);
  const off = updateState(state, ['features', 'blog'], () => false);
  expect(readState(form as FormField, off, fields)).toMatchObject({ features: { blog: false } });
});
