import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listElements } from '../../apps/build/parse-html.ts';
import { type Prose, parseProse } from '../../core/content/prose.ts';
import { renderNewsletter } from './render-newsletter.ts';

const colours = { surface: '#fff', text: '#111', muted: '#555', accent: '#00f', hairline: '#ddd' };
const words = {
  sender: 'Quiet & Sons',
  reason: 'You asked for it.',
  unsubscribe: 'Leave',
  address: 'Quiet & Sons, 1 Example Street',
  readOnWeb: 'Read on the web',
  imageLabel: 'Picture',
  brand: { logoText: 'Quiet & Sons', colours: { light: colours, dark: colours } },
};
const urls = { siteUrl: 'https://www.wardhouse.example/', unsubscribeUrl: '{{leave}}' };

const code = 'curl -sI https://www.wardhouse.example/ --max-time 10 --header "Accept: text/html" <b>';
const markdown = `We look at **scope** first, because a short list of questions saves days. See [our services](/creator?a=1&b=2#x).

## Two questions

1. What would hurt most if it stopped for a whole day, and who would be the first to notice it?
2. Who may say stop?

- two <https://example.com/>, [a@b.example](mailto:a@b.example) or [020 7946](tel:0207946)`;
/** What only a post has. */
const ofPosts: Prose = [
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
const body = [...parseProse(markdown).prose, ...ofPosts];
const draft = { subject: 'March', preview: 'In short', webUrl: '/blog/march', body };

test('an issue as text has all content in wrapped lines, and the URL of each link after its text', () => {
  expect(renderNewsletter(draft, words, urls).text).toBe(`March
=====

Read on the web: https://www.wardhouse.example/blog/march

We look at scope first, because a short list of questions saves days. See
our services (https://www.wardhouse.example/creator?a=1&b=2#x).


Two questions
-------------

1. What would hurt most if it stopped for a whole day, and who would be the
   first to notice it?

2. Who may say stop?

- two https://example.com/, a@b.example or 020 7946

> Warning
>
> Do not.

    ${code}

      two

[Picture: A map]

* * *

- Header: HSTS
  Cost: ${'word '.repeat(13).trimEnd()}
  ${'word '.repeat(7).trimEnd()}

${'-'.repeat(76)}

You asked for it.

Leave:
{{leave}}

Quiet & Sons, 1 Example Street
`);
});

test('an issue as HTML has all content, without remote resources', () => {
  const { html } = renderNewsletter(draft, words, urls);
  const { textOf, attributes } = readHtml(html);
  expect(['title', 'h1', 'h2', 'div'].flatMap(textOf)).toEqual([
    'March',
    'March',
    'Two questions',
    'In short',
  ]);
  const links = attributes('a', 'href');
  expect(links.slice(0, 2)).toEqual([
    ...['https://www.wardhouse.example/blog/march', 'https://www.wardhouse.example/creator?a=1&b=2#x'],
  ]);
  expect(links.at(-1)).toBe('{{leave}}');
  expect(attributes('html', 'lang')).toEqual(['en-GB']);
  expect(textOf('code')[0]).toBe(`${code}\n\n  two`);
  expect(textOf('th')).toEqual(['Header', 'Cost']);
  expect(textOf('em')).toEqual(['Picture: A map']);
  expect(html).not.toMatch(/<(img|script|link|iframe)|url\(|@import|src=/);
});

test('HTML escapes any text, also within an attribute', () => {
  const render = (subject: string, said: string, reason: string) => {
    const body: Prose = [['p', {}, ['a', { href: `https://a.example/${said}` }, said]]];
    return readHtml(renderNewsletter({ subject, preview: '', body }, { ...words, reason }, urls).html);
  };
  const usual = render('s', 'x', 'r');
  const parts = ['<', '>', '"', "'", '&', '&lt;', '</title>', '</style>', '<script>', '-->', '$&', 'é', ' b'];
  const hostile = fc
    .array(fc.constantFrom(...parts, 'a'), { minLength: 1, maxLength: 8 })
    .map(text => text.join(''));
  fc.assert(
    fc.property(hostile, hostile, hostile, (subject, said, reason) => {
      const { textOf, shape } = render(subject, said, reason);
      expect(shape).toEqual(usual.shape);
      expect(textOf('title')).toEqual([subject]);
      expect([textOf('a')[0], textOf('p')[2]]).toEqual([said, reason]);
    }),
    { numRuns: 60 },
  );
});

function readHtml(html: string) {
  const elements = listElements(html);
  const find = (tag: string) => elements.filter(({ tagName }) => tagName === tag);
  return {
    textOf: (tag: string) => find(tag).map(({ text }) => text),
    attributes: (tag: string, name: string) => find(tag).map(({ attributes }) => attributes.get(name)),
    /** Every element with the names of its attributes. */
    shape: elements.map(({ tagName, attributes }) => `${tagName} ${[...attributes.keys()]}`),
  };
}
