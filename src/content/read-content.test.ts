import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { describeContentError } from './content-error.ts';
import { readContent } from './read-content.ts';

/** Each test spoils a copy of the words that ship. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-content-'));
  cpSync(join(root, 'content'), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the shipped content', () => {
  test('has no error', () => {
    const { content, errors } = readContent(join(root, 'content'));
    expect(errors.map(describeContentError)).toEqual([]);
    expect(content).toBeDefined();
  });

  test("has the company's fields in place of their placeholders", () => {
    edit('company.yaml', /^name: .*$/m, 'name: Quiet & Sons');
    edit('site.yaml', /^( {2}sent: ).*$/m, '$1Thanks from {company.name}');
    const { content } = readContent(folder);
    expect(content?.site.notices.sent).toBe('Thanks from Quiet & Sons');
    expect(JSON.stringify(content)).not.toMatch(/\{company\./);
  });

  test('keeps the placeholders that are filled later, each in its own file', () => {
    const { content } = readContent(folder);
    expect(content?.site.error.chunk).toContain('{name}');
    expect(content?.letters['newsletter-confirm'].body).toContain('{link}');
    const line = edit('site.yaml', /^( {2}sent: ).*$/m, '$1See {link}');
    expect(findErrors()).toEqual([
      `content/site.yaml line ${line}: sent uses the unknown placeholder {link}`,
    ]);
  });

  test('may have a byte order mark and any line endings', () => {
    for (const file of ['company.yaml', 'privacy.md']) {
      const text = readFileSync(join(folder, file), 'utf8');
      writeFileSync(join(folder, file), `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    }
    expect(findErrors()).toEqual([]);
  });
});

describe('a law that governs the terms', () => {
  test('is a warning while it is unfilled', () => {
    edit('company.yaml', /^governingLaw: .*$/m, 'governingLaw: null');
    const { errors, warnings } = readContent(folder);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^content\/company\.yaml: governingLaw is unfilled/)]);
  });

  test('appears in the terms once it is filled, without a warning', () => {
    edit('company.yaml', /^governingLaw: .*$/m, 'governingLaw: the law of the sea');
    const { content, warnings } = readContent(folder);
    expect(warnings).toEqual([]);
    expect(JSON.stringify(content?.terms.body)).toContain('the law of the sea');
  });
});

describe('a content error', () => {
  test('is described by file, line, field and reason', () => {
    const error = { file: 'services.yaml', line: 14, field: 'summary' };
    expect(describeContentError({ ...error, reason: 'is 212 characters, limit 60' })).toBe(
      'content/services.yaml line 14: summary is 212 characters, limit 60',
    );
    expect(describeContentError({ ...error, field: '', reason: 'the file is missing' })).toBe(
      'content/services.yaml line 14: the file is missing',
    );
  });

  test('is found in titles and descriptions that two pages share, and in a title that would be cut off', () => {
    const title = edit('terms.md', /^title: .*$/m, 'title: Privacy Policy');
    const long = edit('services.yaml', /^title: .*$/m, `title: ${'Services '.repeat(6).trim()}`);
    edit('company.yaml', /^name: .*$/m, 'name: Wardhouse Brothers');
    expect(findErrors()).toEqual([
      `content/services.yaml line ${long}: title is 74 characters including ' — Wardhouse Brothers', limit 65`,
      `content/terms.md line ${title}: title is the same as in privacy.md; each page needs its own`,
    ]);
  });

  test('is found in blog topics with the same slug or name', () => {
    const line = lineOf('blog.yaml', /^topics:/m);
    edit(
      'blog.yaml',
      /- slug: .*\n {4}name: .*\n/,
      '- slug: index\n    name: One\n  - slug: index\n    name: One\n',
    );
    expect(findErrors()).toEqual([
      `content/blog.yaml line ${line}: topics uses a slug twice`,
      `content/blog.yaml line ${line}: topics uses a name twice`,
      `content/blog.yaml line ${line}: topics has the slug 'index', which web hosts treat as a folder`,
    ]);
  });

  test('is reported together with all others, and no content is returned', () => {
    const email = edit('company.yaml', /^email: .*$/m, 'email: hello at example.com');
    const year = edit('company.yaml', /^copyrightYear: .*$/m, 'copyrightYear: soon');
    const summary = edit('services.yaml', /summary: .*\n/, `summary: ${'x'.repeat(212)}\n`);
    const date = edit('privacy.md', /^date: .*$/m, 'date: 2024-02-30');
    rmSync(join(folder, 'terms.md'));
    const { content, errors } = readContent(folder);
    expect(content).toBeUndefined();
    expect(errors.map(describeContentError)).toEqual([
      `content/company.yaml line ${email}: email is 'hello at example.com', expected an email address`,
      `content/company.yaml line ${year}: copyrightYear is "soon", expected a number`,
      `content/services.yaml line ${summary}: summary is 212 characters, limit 60`,
      `content/privacy.md line ${date}: date is '2024-02-30', expected a date such as 2024-07-15`,
      'content/terms.md line 1: the file is missing',
    ]);
  });

  test('is found in every kind of field', () => {
    const spoilt: [field: string, value: string, reason: string][] = [
      ['name', ' 42', 'is 42, expected text; put it in quotation marks'],
      ['logoText', ' [one]', 'is a list, expected text'],
      ['phone', ' call us', "is 'call us', expected digits and spaces such as 020 7946 0123"],
      ['email', ' a@b', "is 'a@b', expected an email address"],
      ['address', ' []', 'has 0 entries, at least 1 are needed'],
      ['supportHours', ' " "', 'is empty'],
      ['registration', ' none', 'is "none", expected a group of fields'],
      ['governingLawUnfilled', ' {some: law}', 'is a group of fields, expected text'],
      ['copyrightYear', ' 2020.5', 'is 2020.5, expected a whole number from 1990 to 2100'],
    ];
    const put = (field: string, value: string) =>
      edit('company.yaml', new RegExp(`^${field}:.*(\\n .*)*$`, 'm'), `${field}:${value}`);
    for (const [field, value] of spoilt) put(field, value);
    const expected = spoilt.map(([field, , reason]) => ({
      file: 'company.yaml',
      line: lineOf('company.yaml', new RegExp(`^${field}:`, 'm')),
      field,
      reason,
    }));
    expect(readContent(folder).errors).toEqual(expected);
  });

  test('is found in an address that is not https', () => {
    const line = edit('company.yaml', /url: .*$/m, 'url: http://example.com');
    expect(findErrors()).toEqual([
      `content/company.yaml line ${line}: url is 'http://example.com', expected an address that begins with https://`,
    ]);
  });

  test('is found in a field that is missing, at the group it is missing from', () => {
    edit('company.yaml', /^logoText: .*\n/m, '');
    edit('company.yaml', /^ {2}number: .*\n/m, '');
    const group = lineOf('company.yaml', /^ {2}name: /m);
    const file = lineOf('company.yaml', /^name: /m);
    expect(findErrors()).toEqual([
      `content/company.yaml line ${file}: logoText is missing`,
      `content/company.yaml line ${group - 1}: number is missing`,
    ]);
  });

  test('is found in every field that is unknown', () => {
    const line = edit('company.yaml', /^logoText:/m, 'colour: green\nfavicon: none\nlogoText:');
    expect(findErrors()).toEqual([
      `content/company.yaml line ${line}: colour is not a field of this file`,
      `content/company.yaml line ${line + 1}: favicon is not a field of this file`,
    ]);
  });

  test('is found in an unknown placeholder, at its line', () => {
    const heading = edit('home.yaml', /^( {2}heading: ).*$/m, '$1We are {company.fame}');
    const step = edit('contact.yaml', /^( {2}steps:)\n.*$/m, '$1\n    - Ring {toString}');
    const body = append('terms.md', 'Call {phone}.');
    expect(findErrors()).toEqual([
      `content/home.yaml line ${heading}: heading uses the unknown placeholder {company.fame}`,
      `content/contact.yaml line ${step + 1}: entry 1 of steps uses the unknown placeholder {toString}`,
      `content/terms.md line ${body}: body uses the unknown placeholder {phone}`,
    ]);
  });

  test('is found in YAML that cannot be read, and the other files are checked all the same', () => {
    const broken = edit('faq.yaml', /^label: .*$/m, 'label: [not, closed');
    const twice = edit('company.yaml', /^phone: .*$/m, 'phone: "0"\nphone: "020 7946 0123"') + 1;
    const year = edit('company.yaml', /^copyrightYear: .*$/m, 'copyrightYear: soon') - 1;
    const title = edit('terms.md', /^title: .*$/m, 'title:');
    expect(findErrors()).toEqual([
      `content/company.yaml line ${twice}: phone is already used above`,
      `content/company.yaml line ${year + 1}: copyrightYear is "soon", expected a number`,
      `content/faq.yaml line ${broken}: has a bracket that is not closed`,
      `content/terms.md line ${title}: title is empty, expected text`,
    ]);
  });

  test('is reported where an unclosed quotation begins, and hides no other file', () => {
    const line = edit('company.yaml', /^email: /m, 'email: "');
    const unknown = edit('home.yaml', /^( {2}cta:)/m, '  colour: {company.fame}\n$1');
    expect(findErrors()).toEqual([
      expect.stringMatching(`^content/company.yaml line ${line}: has a quotation mark that is not closed`),
      expect.stringMatching(`^content/home.yaml line ${unknown}: `),
    ]);
  });

  test('is found in files of another type, once in each', () => {
    const put = (file: string, text: string | Buffer) => writeFileSync(join(folder, file), text);
    put('company.yaml', '');
    put('site.yaml', '- one\n- two\n');
    put('static.yaml', 'hello\n');
    put('home.yaml', Buffer.from('a: 1\n# caf\xe9', 'latin1'));
    put('sample.yaml', 'x: y\n'.repeat(300_000));
    put('services.yaml', `a: ${'['.repeat(9000)}`);
    expect(findErrors()).toEqual([
      'content/company.yaml line 1: is empty, expected a group of fields',
      'content/site.yaml line 1: is a list, expected a group of fields',
      'content/static.yaml line 1: is "hello", expected a group of fields',
      'content/home.yaml line 2: is not UTF-8 text; save the file as UTF-8',
      'content/sample.yaml line 1: the file is 2 MB, limit 1 MB',
      'content/services.yaml line 1: cannot be read: it is nested too deeply',
    ]);
  });

  test('is found in folders and in YAML aliases, which are not expanded', () => {
    rmSync(join(folder, 'faq.yaml'));
    mkdirSync(join(folder, 'faq.yaml'));
    const copies = 'abcdefghi'
      .split('')
      .map((name, i, all) => `${name}: &${name} [${`*${all[i - 1] ?? 'a'}, `.repeat(9)}]`);
    writeFileSync(join(folder, 'static.yaml'), copies.join('\n'));
    const found = findErrors();
    expect(found).toHaveLength(10);
    expect(found[0]).toMatch(/^content\/static.yaml line 1: has a text that begins with [&*]; put it in/);
    expect(found.at(-1)).toBe('content/faq.yaml line 1: is a folder, expected a file');
  });

  test('quotes long input shortened and without control characters', () => {
    edit('company.yaml', /^email: .*$/m, `email: ${'x '.repeat(100)}\ncol\u001B[31mour: 1`);
    for (const line of findErrors()) expect(line).toMatch(/^[\P{Cc}]{1,160}$/u);
  });

  test('in one file hides none in others: placeholders, cards, ids', () => {
    edit('company.yaml', /^copyrightYear: .*$/m, 'copyrightYear: soon');
    edit('home.yaml', /^( {2}heading: ).*$/m, '$1We are {company.fame}');
    edit('home.yaml', /^( {2}cards:)\n.*$/m, '$1\n    - moon-security');
    edit('services.yaml', /^( {2}- id: ).*\n( {4}name: ).*$/m, '$1web-security\n$2');
    expect(findErrors().map(line => line.replace(/ line \d+/, ''))).toEqual([
      'content/company.yaml: copyrightYear is "soon", expected a number',
      'content/home.yaml: heading uses the unknown placeholder {company.fame}',
      "content/home.yaml: cards lists 'moon-security', which is not a service in services.yaml",
      "content/home.yaml: cards lists 'malware-protection', which is not a service in services.yaml",
      'content/services.yaml: name is empty, expected text',
      "content/services.yaml: id 'web-security' is used twice; ids must be unique",
    ]);
  });

  test('is found in a Markdown file whose body is misplaced or missing', () => {
    const line = edit('terms.md', /^title: /m, 'body: here\ntitle: ');
    writeFileSync(join(folder, 'privacy.md'), '---\ntitle: Privacy\n---');
    const found = findErrors();
    expect(found).toContain('content/privacy.md line 3: body is empty');
    expect(found.at(-1)).toMatch(`content/terms.md line ${line}: body belongs below the second line`);
  });

  test('is found in a Markdown file without front matter', () => {
    writeFileSync(join(folder, 'privacy.md'), 'Just words.\n');
    expect(findErrors()).toEqual([
      'content/privacy.md line 1: must begin with its fields between two lines of ---',
    ]);
  });

  test('is found in Markdown at its line: raw HTML, a picture, a javascript: link', () => {
    const html = append('privacy.md', '<b onclick="x()">bold</b>');
    const picture = append('privacy.md', '![a cat](/cat.png)');
    const link = append('privacy.md', 'See [this](javascript:alert(1)).');
    const found = findErrors();
    expect(found).toContain(
      `content/privacy.md line ${html}: body contains raw HTML, which is not supported here`,
    );
    expect(found).toContain(
      `content/privacy.md line ${picture}: body contains a picture, which is not supported here`,
    );
    expect(found.at(-1)).toMatch(
      new RegExp(`^content/privacy.md line ${link}: body links to 'javascript:alert\\(1\\)'; a link begins`),
    );
  });

  test('is found in an answer that is too short, at its question', () => {
    const line = edit('faq.yaml', /answer: \|\n( {10}.*\n)+/, 'answer: Yes.\n');
    expect(findErrors()).toEqual([`content/faq.yaml line ${line}: answer has 1 words, expected 40 to 90`]);
  });

  test('is found in a duplicate id, at the second, and in a card of an unknown service', () => {
    const [, first] = /id: (\S+)/.exec(readFileSync(join(folder, 'faq.yaml'), 'utf8')) ?? [];
    const question = edit('faq.yaml', /^( {6}- id: ).*$/m, `$1${first}`);
    const card = edit('home.yaml', /^( {2}cards:)\n.*$/m, '$1\n    - moon-security') + 1;
    const email = edit('company.yaml', /^email: .*$/m, 'email: nobody');
    expect(findErrors()).toEqual([
      `content/company.yaml line ${email}: email is 'nobody', expected an email address`,
      `content/home.yaml line ${card}: cards lists 'moon-security', which is not a service in services.yaml`,
      `content/faq.yaml line ${question}: id '${first}' is used twice; ids must be unique`,
    ]);
  });

  test("is found in a topic name that makes its page's title too long", () => {
    const name = edit('blog.yaml', /name: Testing$/m, `name: ${'Testing and '.repeat(3)}more`);
    edit('blog.yaml', /topicTitle: .*$/m, 'topicTitle: "All of our blog on {topic}"');
    edit('blog.yaml', /topic of \{topic\}, newest first/, 'topic of {topic}, newest first, oldest last');
    expect(findErrors()).toEqual([
      expect.stringMatching(
        `^content/blog.yaml line ${name}: name makes the title of its page \\d+ characters, limit 65$`,
      ),
      expect.stringMatching(
        `line ${name}: name makes the description of its page \\d+ characters, limit 160$`,
      ),
    ]);
  });

  test('is found in mails: a confirmation without {link}, and {link} elsewhere', () => {
    edit('letters/newsletter-confirm.md', /^\{link\}$/m, 'Nowhere');
    const body = lineOf('letters/newsletter-confirm.md', /^Hello/m);
    const why = edit('letters/newsletter-issue.yaml', /^why: .*$/m, 'why: See {link}');
    expect(findErrors()).toEqual([
      `content/letters/newsletter-confirm.md line ${body}: body is missing {link}, the address of the confirmation page`,
      `content/letters/newsletter-issue.yaml line ${why}: why uses the unknown placeholder {link}`,
    ]);
  });

  test('is found in a sample finding whose severity is not on its scale', () => {
    const line = edit('sample.yaml', /^( {2}severity: ).*$/m, '$1Dreadful');
    expect(findErrors()).toEqual([
      `content/sample.yaml line ${line}: severity is 'Dreadful', expected one of Low, Medium, High, Critical`,
    ]);
  });

  test('is found in an id that is not valid in a URL', () => {
    const line = edit('services.yaml', /^( {2}- id: ).*$/m, '$1Malware Protection');
    expect(findErrors()[0]).toBe(
      `content/services.yaml line ${line}: id is 'Malware Protection', expected lower-case words joined by hyphens`,
    );
  });
});

function findErrors(): string[] {
  return readContent(folder).errors.map(describeContentError);
}

/** Replaces what is there, and says on which line it began. */
function edit(file: string, wanted: RegExp, put: string): number {
  const line = lineOf(file, wanted);
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(wanted, put));
  return line;
}

/** Adds a paragraph, and says on which line it stands. */
function append(file: string, paragraph: string): number {
  const path = join(folder, file);
  const text = `${readFileSync(path, 'utf8').trimEnd()}\n\n`;
  writeFileSync(path, `${text}${paragraph}\n`);
  return text.split('\n').length;
}

function lineOf(file: string, wanted: RegExp): number {
  const text = readFileSync(join(folder, file), 'utf8');
  const at = text.search(wanted);
  if (at < 0) throw new Error(`${file} has no ${wanted}`);
  return text.slice(0, at).split('\n').length;
}
