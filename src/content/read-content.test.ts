import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { describeMistake, readContent } from './read-content.ts';

/** Each test spoils a copy of the words that ship. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-content-'));
  cpSync(join(root, 'content'), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the words that ship', () => {
  test('have no mistake', () => {
    const { content, mistakes } = readContent(join(root, 'content'));
    expect(mistakes.map(describeMistake)).toEqual([]);
    expect(content).toBeDefined();
  });

  test('carry the facts of the company in the place of their names', () => {
    edit('company.yaml', /^name: .*$/m, 'name: Quiet & Sons');
    edit('site.yaml', /^( {2}sent: ).*$/m, '$1Thanks from {company.name}');
    const { content } = readContent(folder);
    expect(content?.site.notices.sent).toBe('Thanks from Quiet & Sons');
    expect(JSON.stringify(content)).not.toMatch(/\{company\./);
  });

  test('leave the blanks that are filled later, each in its own file', () => {
    const { content } = readContent(folder);
    expect(content?.site.error.chunk).toContain('{name}');
    expect(content?.letters['newsletter-confirm'].body).toContain('{link}');
    const line = edit('site.yaml', /^( {2}sent: ).*$/m, '$1See {link}');
    expect(mistakesFound()).toEqual([`content/site.yaml line ${line}: sent names the unknown fact {link}`]);
  });

  test('may come from an editor that marks its files and ends lines its own way', () => {
    for (const file of ['company.yaml', 'privacy.md']) {
      const text = readFileSync(join(folder, file), 'utf8');
      writeFileSync(join(folder, file), `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    }
    expect(mistakesFound()).toEqual([]);
  });
});

describe('a law that governs the terms', () => {
  test('is asked for while it is unfilled', () => {
    edit('company.yaml', /^governingLaw: .*$/m, 'governingLaw: null');
    const { mistakes, warnings } = readContent(folder);
    expect(mistakes).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^content\/company\.yaml: governingLaw is unfilled/)]);
  });

  test('is asked for no more once it is filled, and stands in the terms', () => {
    edit('company.yaml', /^governingLaw: .*$/m, 'governingLaw: the law of the sea');
    const { content, warnings } = readContent(folder);
    expect(warnings).toEqual([]);
    expect(JSON.stringify(content?.terms.body)).toContain('the law of the sea');
  });
});

describe('a mistake', () => {
  test('is described by file, line, field and reason', () => {
    const mistake = { file: 'services.yaml', line: 14, field: 'summary' };
    expect(describeMistake({ ...mistake, reason: 'is 212 characters, limit 60' })).toBe(
      'content/services.yaml line 14: summary is 212 characters, limit 60',
    );
    expect(describeMistake({ ...mistake, field: '', reason: 'the file is missing' })).toBe(
      'content/services.yaml line 14: the file is missing',
    );
  });

  test('is found in titles and descriptions that two pages share, and in a title that would be cut off', () => {
    const title = edit('terms.md', /^title: .*$/m, 'title: Privacy Policy');
    const long = edit('services.yaml', /^title: .*$/m, `title: ${'Services '.repeat(6).trim()}`);
    edit('company.yaml', /^name: .*$/m, 'name: Wardhouse Brothers');
    expect(mistakesFound()).toEqual([
      `content/services.yaml line ${long}: title is 74 characters together with ' — Wardhouse Brothers', limit 65`,
      `content/terms.md line ${title}: title is the same as that of privacy.md; search engines could not tell the pages apart`,
    ]);
  });

  test('is found in topics of the blog that nobody could tell apart', () => {
    const line = lineOf('blog.yaml', /^topics:/m);
    edit(
      'blog.yaml',
      /- slug: .*\n {4}name: .*\n/,
      '- slug: index\n    name: One\n  - slug: index\n    name: One\n',
    );
    expect(mistakesFound()).toEqual([
      `content/blog.yaml line ${line}: topics has one slug twice`,
      `content/blog.yaml line ${line}: topics has one name twice`,
      `content/blog.yaml line ${line}: topics has the slug 'index', which hosts take for a folder`,
    ]);
  });

  test('is reported with every other one of every file, and there are no words then', () => {
    const email = edit('company.yaml', /^email: .*$/m, 'email: hello at example.com');
    const year = edit('company.yaml', /^copyrightYear: .*$/m, 'copyrightYear: soon');
    const summary = edit('services.yaml', /summary: .*\n/, `summary: ${'x'.repeat(212)}\n`);
    const date = edit('privacy.md', /^date: .*$/m, 'date: 2024-02-30');
    rmSync(join(folder, 'terms.md'));
    const { content, mistakes } = readContent(folder);
    expect(content).toBeUndefined();
    expect(mistakes.map(describeMistake)).toEqual([
      `content/company.yaml line ${email}: email is 'hello at example.com', expected an e-mail address`,
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
      ['email', ' a@b', "is 'a@b', expected an e-mail address"],
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
    expect(readContent(folder).mistakes).toEqual(expected);
  });

  test('is found in an address that is not https', () => {
    const line = edit('company.yaml', /url: .*$/m, 'url: http://example.com');
    expect(mistakesFound()).toEqual([
      `content/company.yaml line ${line}: url is 'http://example.com', expected an address that begins with https://`,
    ]);
  });

  test('is found in a field that is missing, at the group it is missing from', () => {
    edit('company.yaml', /^logoText: .*\n/m, '');
    edit('company.yaml', /^ {2}number: .*\n/m, '');
    const group = lineOf('company.yaml', /^ {2}name: /m);
    const file = lineOf('company.yaml', /^name: /m);
    expect(mistakesFound()).toEqual([
      `content/company.yaml line ${file}: logoText is missing`,
      `content/company.yaml line ${group - 1}: number is missing`,
    ]);
  });

  test('is found in every field that is unknown', () => {
    const line = edit('company.yaml', /^logoText:/m, 'colour: green\nfavicon: none\nlogoText:');
    expect(mistakesFound()).toEqual([
      `content/company.yaml line ${line}: colour is not a field of this file`,
      `content/company.yaml line ${line + 1}: favicon is not a field of this file`,
    ]);
  });

  test('is found in a fact that the company does not have, at its line', () => {
    const heading = edit('home.yaml', /^( {2}heading: ).*$/m, '$1We are {company.fame}');
    const step = edit('contact.yaml', /^( {2}steps:)\n.*$/m, '$1\n    - Ring {toString}');
    const body = append('terms.md', 'Call {phone}.');
    expect(mistakesFound()).toEqual([
      `content/home.yaml line ${heading}: heading names the unknown fact {company.fame}`,
      `content/contact.yaml line ${step + 1}: entry 1 of steps names the unknown fact {toString}`,
      `content/terms.md line ${body}: body names the unknown fact {phone}`,
    ]);
  });

  test('is found in YAML that cannot be read, and the other files are checked all the same', () => {
    const broken = edit('faq.yaml', /^label: .*$/m, 'label: [not, closed');
    const twice = edit('company.yaml', /^phone: .*$/m, 'phone: "0"\nphone: "020 7946 0123"') + 1;
    const year = edit('company.yaml', /^copyrightYear: .*$/m, 'copyrightYear: soon') - 1;
    const title = edit('terms.md', /^title: .*$/m, 'title:');
    expect(mistakesFound()).toEqual([
      `content/company.yaml line ${twice}: phone stands above already`,
      `content/company.yaml line ${year + 1}: copyrightYear is "soon", expected a number`,
      `content/faq.yaml line ${broken}: has a bracket that is not closed`,
      `content/terms.md line ${title}: title is empty, expected text`,
    ]);
  });

  test('is told where a quotation began that was not closed, and hides no other file', () => {
    const line = edit('company.yaml', /^email: /m, 'email: "');
    const unknown = edit('home.yaml', /^( {2}cta:)/m, '  colour: {company.fame}\n$1');
    expect(mistakesFound()).toEqual([
      expect.stringMatching(`^content/company.yaml line ${line}: has a quotation mark that is not closed`),
      expect.stringMatching(`^content/home.yaml line ${unknown}: `),
    ]);
  });

  test('is found in files that hold something else altogether, once in each', () => {
    const put = (file: string, text: string | Buffer) => writeFileSync(join(folder, file), text);
    put('company.yaml', '');
    put('site.yaml', '- one\n- two\n');
    put('static.yaml', 'hello\n');
    put('home.yaml', Buffer.from('a: 1\n# caf\xe9', 'latin1'));
    put('sample.yaml', 'x: y\n'.repeat(300_000));
    put('services.yaml', `a: ${'['.repeat(9000)}`);
    expect(mistakesFound()).toEqual([
      'content/company.yaml line 1: is empty, expected a group of fields',
      'content/site.yaml line 1: is a list, expected a group of fields',
      'content/static.yaml line 1: is "hello", expected a group of fields',
      'content/home.yaml line 2: is not text in UTF-8; save the file as UTF-8',
      'content/sample.yaml line 1: the file is 2 MB, limit 1 MB',
      'content/services.yaml line 1: cannot be read: too much is nested in it',
    ]);
  });

  test('is found in what is no file, and in copies of copies, without following them', () => {
    rmSync(join(folder, 'faq.yaml'));
    mkdirSync(join(folder, 'faq.yaml'));
    const copies = 'abcdefghi'
      .split('')
      .map((name, i, all) => `${name}: &${name} [${`*${all[i - 1] ?? 'a'}, `.repeat(9)}]`);
    writeFileSync(join(folder, 'static.yaml'), copies.join('\n'));
    const found = mistakesFound();
    expect(found).toHaveLength(10);
    expect(found[0]).toMatch(/^content\/static.yaml line 1: has a text that begins with [&*]; put it in/);
    expect(found.at(-1)).toBe('content/faq.yaml line 1: there is a folder of this name; a file is needed');
  });

  test('shows what was written cut short, and gives a terminal nothing to obey', () => {
    edit('company.yaml', /^email: .*$/m, `email: ${'x '.repeat(100)}\ncol\u001B[31mour: 1`);
    for (const line of mistakesFound()) expect(line).toMatch(/^[\P{Cc}]{1,160}$/u);
  });

  test('of one file hides none that others have: facts, cards, ids', () => {
    edit('company.yaml', /^copyrightYear: .*$/m, 'copyrightYear: soon');
    edit('home.yaml', /^( {2}heading: ).*$/m, '$1We are {company.fame}');
    edit('home.yaml', /^( {2}cards:)\n.*$/m, '$1\n    - moon-security');
    edit('services.yaml', /^( {2}- id: ).*\n( {4}name: ).*$/m, '$1web-security\n$2');
    expect(mistakesFound().map(line => line.replace(/ line \d+/, ''))).toEqual([
      'content/company.yaml: copyrightYear is "soon", expected a number',
      'content/home.yaml: heading names the unknown fact {company.fame}',
      "content/home.yaml: cards names 'moon-security', which services.yaml does not have",
      "content/home.yaml: cards names 'malware-protection', which services.yaml does not have",
      'content/services.yaml: name is empty, expected text',
      "content/services.yaml: id 'web-security' stands twice; a link to it would be ambiguous",
    ]);
  });

  test('is found in a Markdown file whose body stands in the wrong place, or not at all', () => {
    const line = edit('terms.md', /^title: /m, 'body: here\ntitle: ');
    writeFileSync(join(folder, 'privacy.md'), '---\ntitle: Privacy\n---');
    const found = mistakesFound();
    expect(found).toContain('content/privacy.md line 3: body is empty');
    expect(found.at(-1)).toMatch(`content/terms.md line ${line}: body is what stands below the second line`);
  });

  test('is found in a Markdown file without its facts', () => {
    writeFileSync(join(folder, 'privacy.md'), 'Just words.\n');
    expect(mistakesFound()).toEqual([
      'content/privacy.md line 1: must begin with its facts between two lines of ---',
    ]);
  });

  test('is found in Markdown at its line: raw HTML, a picture, a link that runs', () => {
    const html = append('privacy.md', '<b onclick="x()">bold</b>');
    const picture = append('privacy.md', '![a cat](/cat.png)');
    const link = append('privacy.md', 'See [this](javascript:alert(1)).');
    const found = mistakesFound();
    expect(found).toContain(
      `content/privacy.md line ${html}: body holds raw HTML, which the pages have no look for`,
    );
    expect(found).toContain(
      `content/privacy.md line ${picture}: body holds a picture, which the pages have no look for`,
    );
    expect(found.at(-1)).toMatch(
      new RegExp(`^content/privacy.md line ${link}: body links to 'javascript:alert\\(1\\)'; a link begins`),
    );
  });

  test('is found in an answer that is too short, at its question', () => {
    const line = edit('faq.yaml', /answer: \|\n( {10}.*\n)+/, 'answer: Yes.\n');
    expect(mistakesFound()).toEqual([`content/faq.yaml line ${line}: answer has 1 words, expected 40 to 90`]);
  });

  test('is found in an id that stands twice, at the second, and in a card that names no service', () => {
    const [, first] = /id: (\S+)/.exec(readFileSync(join(folder, 'faq.yaml'), 'utf8')) ?? [];
    const question = edit('faq.yaml', /^( {6}- id: ).*$/m, `$1${first}`);
    const card = edit('home.yaml', /^( {2}cards:)\n.*$/m, '$1\n    - moon-security') + 1;
    const email = edit('company.yaml', /^email: .*$/m, 'email: nobody');
    expect(mistakesFound()).toEqual([
      `content/company.yaml line ${email}: email is 'nobody', expected an e-mail address`,
      `content/home.yaml line ${card}: cards names 'moon-security', which services.yaml does not have`,
      `content/faq.yaml line ${question}: id '${first}' stands twice; a link to it would be ambiguous`,
    ]);
  });

  test('is found in the name of a topic that is too long for the head of its page', () => {
    const name = edit('blog.yaml', /name: Testing$/m, `name: ${'Testing and '.repeat(3)}more`);
    edit('blog.yaml', /topicTitle: .*$/m, 'topicTitle: "All of our blog on {topic}"');
    edit('blog.yaml', /topic of \{topic\}, newest first/, 'topic of {topic}, newest first, oldest last');
    expect(mistakesFound()).toEqual([
      expect.stringMatching(
        `^content/blog.yaml line ${name}: name makes the title of its page \\d+ characters, limit 65$`,
      ),
      expect.stringMatching(
        `line ${name}: name makes the description of its page \\d+ characters, limit 160$`,
      ),
    ]);
  });

  test('is found in letters: one that confirms without its link, and one that has no link', () => {
    edit('letters/newsletter-confirm.md', /^\{link\}$/m, 'Nowhere');
    const body = lineOf('letters/newsletter-confirm.md', /^Hello/m);
    const why = edit('letters/newsletter-issue.yaml', /^why: .*$/m, 'why: See {link}');
    expect(mistakesFound()).toEqual([
      `content/letters/newsletter-confirm.md line ${body}: body lacks {link}, the page that confirms`,
      `content/letters/newsletter-issue.yaml line ${why}: why names the unknown fact {link}`,
    ]);
  });

  test('is found in a sample finding whose severity its scale does not know', () => {
    const line = edit('sample.yaml', /^( {2}severity: ).*$/m, '$1Dreadful');
    expect(mistakesFound()).toEqual([
      `content/sample.yaml line ${line}: severity is 'Dreadful', expected one of Low, Medium, High, Critical`,
    ]);
  });

  test('is found in an id that no address could hold', () => {
    const line = edit('services.yaml', /^( {2}- id: ).*$/m, '$1Malware Protection');
    expect(mistakesFound()[0]).toBe(
      `content/services.yaml line ${line}: id is 'Malware Protection', expected lower-case words joined by hyphens`,
    );
  });
});

function mistakesFound(): string[] {
  return readContent(folder).mistakes.map(describeMistake);
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
