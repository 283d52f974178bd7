import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { type Prose, parseProse } from '../../content/prose.ts';
import { renderNewsletter } from './render-newsletter.ts';

const words = {
  sender: 'Quiet & Sons',
  why: 'You asked for it.',
  leave: 'Leave',
  address: 'Quiet & Sons, 1 Example Street',
  web: 'Read on the web',
  picture: 'Picture',
};
const place = { siteUrl: 'https://www.wardhouse.example/', unsubscribeUrl: '{{leave}}' };

function write(markdown: string, draft: { subject?: string; preview?: string } = {}) {
  const { prose, errors } = parseProse(markdown);
  expect(errors).toEqual([]);
  return renderNewsletter({ subject: 'March', preview: '', ...draft, body: prose }, words, place);
}

describe('an issue as text', () => {
  test('has wrapped lines, and the URL of each link after its text', () => {
    const { text } = write(
      [
        'We look at **scope** first, because a short list of questions saves days. See [our services](/creator).',
        '',
        '## Three questions',
        '',
        '1. What would hurt most if it stopped for a whole day, and who would be the first to notice it?',
        '2. Who may say stop?',
        '',
        '- one',
        '- two <https://example.com/>, [a@b.example](mailto:a@b.example) or [020 7946](tel:0207946)',
        '',
        '### Nested',
        '',
        '- outer',
        '  - inner',
      ].join('\n'),
    );
    expect(text).toBe(
      [
        'March',
        '=====',
        '',
        'We look at scope first, because a short list of questions saves days. See',
        'our services (https://www.wardhouse.example/creator).',
        '',
        '',
        'Three questions',
        '---------------',
        '',
        '1. What would hurt most if it stopped for a whole day, and who would be the',
        '   first to notice it?',
        '',
        '2. Who may say stop?',
        '',
        '- one',
        '- two https://example.com/, a@b.example or 020 7946',
        '',
        'Nested',
        '',
        '- outer',
        '',
        '  - inner',
        '',
        '-'.repeat(76),
        '',
        'You asked for it.',
        '',
        'Leave:',
        '{{leave}}',
        '',
        'Quiet & Sons, 1 Example Street',
        '',
      ].join('\n'),
    );
  });

  test('and HTML continue the numbering of an interrupted list', () => {
    const { text, html } = write('1. one\n\nbetween\n\n2. two');
    expect(text).toContain('\n1. one\n\nbetween\n\n2. two\n');
    expect(html).toMatch(/<ol start="2"[^>]*><li[^>]*>two/);
    expect(html).toMatch(/<ol style="[^>]*><li[^>]*>one/);
  });

  test('wraps within nested lists', () => {
    const { text } = write(`- outer\n  1. ${'inner '.repeat(40)}\n     - ${'deep '.repeat(40)}`);
    expect(text.split('\n').filter(line => line.length > 76)).toEqual([]);
  });

  test('does not wrap a link, however long', () => {
    const link = `https://example.com/${'long/'.repeat(30)}`;
    const { text } = write(`- before ([this](${link})) after`);
    expect(text.split('\n').filter(line => line.includes(link)).length).toBe(1);
  });
});

describe('a post as an issue', () => {
  const code = 'curl -sI https://www.wardhouse.example/ --max-time 10 --header "Accept: text/html" <b>';
  const body: Prose = [
    ['blockquote', {}, ['p', {}, ['strong', {}, 'Warning']], ['p', {}, 'Do not.']],
    ['pre', {}, ['code', {}, `${code}\n\n  two`]],
    ['p', {}, ['img', { src: '/blog/images/a.webp', alt: 'A map' }]],
    ['hr', {}],
    [
      'table',
      {},
      ['thead', {}, ['tr', {}, ['th', {}, 'Header'], ['th', {}, 'Cost']]],
      ['tbody', {}, ['tr', {}, ['td', {}, ['code', {}, 'HSTS']], ['td', {}, 'word '.repeat(20)]]],
    ],
  ];
  const draft = { subject: 'March', preview: '', web: '/blog/march', body };

  test('has all content as text', () => {
    const { text } = renderNewsletter(draft, words, place);
    expect(text.split('You asked')[0]?.split('\n').slice(0, -2)).toEqual([
      'March',
      '=====',
      '',
      'Read on the web: https://www.wardhouse.example/blog/march',
      '',
      '> Warning',
      '>',
      '> Do not.',
      '',
      `    ${code}`,
      '',
      '      two',
      '',
      '[Picture: A map]',
      '',
      '* * *',
      '',
      '- Header: HSTS',
      `  Cost: ${'word '.repeat(13).trimEnd()}`,
      `  ${'word '.repeat(7).trimEnd()}`,
      '',
      '-'.repeat(76),
    ]);
  });

  test('has HTML for mail programs, without remote resources', () => {
    const { html } = renderNewsletter(draft, words, place);
    const { elements, textOf } = readHtml(html);
    expect(attributesOf(elements, 'a', 'href')[0]).toBe('https://www.wardhouse.example/blog/march');
    expect(textOf('pre')).toEqual([`${code}\n\n  two`]);
    expect(textOf('th')).toEqual(['Header', 'Cost']);
    expect(textOf('blockquote')).toEqual(['WarningDo not.']);
    expect(textOf('em')).toEqual(['Picture: A map']);
    expect(html).not.toMatch(/<img|src=/);
  });
});

describe('an issue as HTML', () => {
  test('has its subject as title and heading, the preview first, and a link to the site', () => {
    const { html } = write('## Part\n\n[FAQ](/faq?a=1&b=2#x), *here*.', { preview: 'In short' });
    const { elements, textOf } = readHtml(html);
    expect(textOf('title')).toEqual(['March']);
    expect(textOf('h1')).toEqual(['March']);
    expect(textOf('h2')).toEqual(['Part']);
    expect(textOf('em')).toEqual(['here']);
    expect(elements.find(({ tagName }) => tagName === 'div')).toMatchObject({ tagName: 'div' });
    expect(textOf('div')).toEqual(['In short']);
    expect(attributesOf(elements, 'a', 'href')).toEqual([
      'https://www.wardhouse.example/faq?a=1&b=2#x',
      '{{leave}}',
    ]);
    expect(attributesOf(elements, 'html', 'lang')).toEqual(['en-GB']);
  });

  test('has no remote resources, scripts or tracking', () => {
    const { elements } = readHtml(write('Words.', { preview: 'x' }).html);
    const known = [
      'a',
      'body',
      'div',
      'h1',
      'head',
      'html',
      'meta',
      'p',
      'style',
      'table',
      'tbody',
      'td',
      'title',
      'tr',
    ];
    expect([...new Set(elements.map(({ tagName }) => tagName))].sort()).toEqual(known);
    expect(write('Words.').html).not.toMatch(/url\(|@import|src=/);
  });

  test('escapes any text', () => {
    const usual = shapeOf(write('x').html);
    fc.assert(
      fc.property(hostile, hostile, hostile, (subject, said, why) => {
        const draft = {
          subject,
          preview: '',
          body: [['p', {}, said]] as [string, Record<string, string>, string][],
        };
        const { html } = renderNewsletter(draft, { ...words, why }, place);
        expect(shapeOf(html)).toEqual(usual);
        const { textOf } = readHtml(html);
        expect(textOf('title')).toEqual([subject]);
        expect(textOf('p').slice(1, 3)).toEqual([said, why]);
      }),
      { numRuns: 60 },
    );
  });

  test('keeps a link within its attribute', () => {
    const href = 'https://example.com/"onclick="x\'><b>';
    const { html } = renderNewsletter(
      { subject: 's', preview: '', body: [['a', { href }, 'x']] },
      words,
      place,
    );
    const { elements } = readHtml(html);
    expect(elements.find(({ tagName }) => tagName === 'a')?.attrs.map(({ name }) => name)).toEqual([
      'href',
      'style',
    ]);
    expect(elements.some(({ tagName }) => tagName === 'b')).toBe(false);
  });
});

const hostile = fc
  .array(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '&lt;',
      '</title>',
      '</style>',
      '<script>',
      '-->',
      '$&',
      'é',
      'a',
      ' b',
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map(parts => parts.join(''));

type Element = DefaultTreeAdapterTypes.Element;

function readHtml(html: string) {
  const elements: Element[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ('tagName' in node) elements.push(node);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html, { onParseError: error => expect.fail(error.code) }));
  const textOf = (tag: string) => elements.filter(({ tagName }) => tagName === tag).map(allText);
  return { elements, textOf };
}

function shapeOf(html: string): string[] {
  return readHtml(html).elements.map(({ tagName, attrs }) => `${tagName} ${attrs.map(({ name }) => name)}`);
}

function allText(node: DefaultTreeAdapterTypes.Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  return 'childNodes' in node ? node.childNodes.map(allText).join('') : '';
}

function attributesOf(elements: Element[], tag: string, name: string): (string | undefined)[] {
  return elements
    .filter(({ tagName }) => tagName === tag)
    .map(({ attrs }) => attrs.find(attribute => attribute.name === name)?.value);
}
