import type { StartTag } from './read-html.ts';

/** What browsers do with it over HTTP on a page over HTTPS: block, load over HTTPS instead, or warn of. */
export type LoadedKind = 'active' | 'passive' | 'form';
export type Loaded = { kind: LoadedKind; url: string };

/** As Chromium reports them, with which `proof -- audit-browser` compares. */
const kinds: Record<string, Record<string, LoadedKind>> = {
  script: { src: 'active', href: 'active', 'xlink:href': 'active' },
  iframe: { src: 'active' },
  embed: { src: 'active' },
  object: { data: 'active' },
  track: { src: 'active' },
  img: { src: 'passive' },
  audio: { src: 'passive' },
  video: { src: 'passive', poster: 'passive' },
  source: { src: 'passive' },
  image: { href: 'passive', 'xlink:href': 'passive' },
  use: { href: 'passive', 'xlink:href': 'passive' },
  feimage: { href: 'passive', 'xlink:href': 'passive' },
  body: { background: 'passive' },
  table: { background: 'passive' },
  td: { background: 'passive' },
  th: { background: 'passive' },
  form: { action: 'form' },
};

/** What a page loads by itself, and where its forms send to, as it is written: relative, or of another scheme. */
export function* listLoaded(tags: Iterable<StartTag>): Generator<Loaded> {
  for (const tag of tags) {
    const { name, attributes, text } = tag;
    if (name === 'script' && !runs(tag)) continue;
    for (const [attribute, kind] of Object.entries(kinds[name] ?? {}))
      yield* one(kind, attributes.get(attribute));
    if (name === 'link') yield* listLinked(attributes);
    if (name === 'input' && /^image$/i.test(attributes.get('type') ?? ''))
      yield* one('passive', attributes.get('src'));
    if (name === 'img' || name === 'source') yield* listSrcset(attributes.get('srcset'));
    if (name === 'script') yield* listImports(text, isModule(tag));
    if (name === 'style') yield* listStyled(text);
    yield* listStyled(attributes.get('style') ?? '');
  }
}

function* one(kind: LoadedKind, url: string | undefined): Generator<Loaded> {
  // Part of this very page.
  if (url && !url.startsWith('#')) yield { kind, url };
}

function runs({ attributes }: StartTag): boolean {
  const type = attributes.get('type')?.trim() ?? '';
  return /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type) && !attributes.has('nomodule');
}

function isModule({ attributes }: StartTag): boolean {
  return /^\s*module\s*$/i.test(attributes.get('type') ?? '');
}

const blockedLinks = ['stylesheet', 'modulepreload', 'prefetch', 'icon'];
const blockedPreloads = ['script', 'style', 'font', 'fetch', 'track'];

function* listLinked(attributes: StartTag['attributes']): Generator<Loaded> {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  const preload = relations.includes('preload') ? (attributes.get('as') ?? '').trim().toLowerCase() : '';
  const href = attributes.get('href');
  if (relations.some(name => blockedLinks.includes(name)) || blockedPreloads.includes(preload))
    yield* one('active', href);
  else if (preload === 'image') {
    yield* one('passive', href);
    yield* listSrcset(attributes.get('imagesrcset'));
  }
}

/** Browsers load a plain picture over HTTPS instead, but not one of several. */
function* listSrcset(text = ''): Generator<Loaded> {
  const candidate = /[\s,]*(\S*)/y;
  for (let comma = 0; comma >= 0; comma = text.indexOf(',', candidate.lastIndex)) {
    if (comma > 0) candidate.lastIndex = comma;
    let url = candidate.exec(text)?.[1] ?? '';
    if (!url) return;
    // A comma that ends a URL ends its candidate: the next follows without another.
    if (url.endsWith(',')) candidate.lastIndex -= 1;
    while (url.endsWith(',')) url = url.slice(0, -1);
    yield { kind: 'active', url };
  }
}

/** Comments, strings, `url(…)` and what tells of them. Each takes what it begins with, so that the time is linear. */
const cssToken = RegExp(
  [
    String.raw`/\*[^]*?(?:\*/|$)`,
    String.raw`@(?<rule>import|namespace|font-face)\b`,
    String.raw`(?:\burl\(|image-set\(\s*(?=["']))\s*(?:"(?<double>[^"\\]*(?:\\[^][^"\\]*)*)"?|'(?<single>[^'\\]*(?:\\[^][^'\\]*)*)'?|(?<plain>[^"'()\s]*))`,
    String.raw`"(?<text>[^"\\\n]*(?:\\[^][^"\\\n]*)*)"?`,
    String.raw`'(?<quoted>[^'\\\n]*(?:\\[^][^'\\\n]*)*)'?`,
    '(?<end>[;}])',
  ].join('|'),
  'gi',
);

function* listStyled(css: string): Generator<Loaded> {
  let rule: string | undefined;
  for (const { groups = {} } of css.matchAll(cssToken)) {
    const { double, single, plain, text, quoted, end } = groups;
    if (groups.rule) rule = groups.rule.toLowerCase();
    else if (end === '}' || (end && rule !== 'font-face')) rule = undefined;
    const url = double ?? single ?? plain ?? (rule === 'import' ? (text ?? quoted) : undefined);
    if (url && rule !== 'namespace') yield* one(rule ? 'active' : 'passive', unescapeCss(url));
    if (url && rule === 'import') rule = undefined;
  }
}

function unescapeCss(text: string): string {
  return text.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/gis, (_, code, char) =>
    code ? String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff)) : char.replace('\n', ''),
  );
}

const jsToken = RegExp(
  [
    String.raw`/\*[^]*?(?:\*/|$)|//.*`,
    String.raw`(?<word>[\w$.]+)`,
    String.raw`"(?<double>[^"\\\n]*(?:\\[^][^"\\\n]*)*)"?`,
    String.raw`'(?<single>[^'\\\n]*(?:\\[^][^'\\\n]*)*)'?`,
    '`(?<template>[^`\\\\]*(?:\\\\[^][^`\\\\]*)*)`?',
    String.raw`(?<other>[^\s\w$."'${'`'}/]+|/)`,
  ].join('|'),
  'g',
);

/** `import 'x'`, `import … from 'x'`, `export … from 'x'` of a module, and `import('x')` of any script. */
function* listImports(script: string, isModule: boolean): Generator<Loaded> {
  let before: string | undefined;
  for (const { groups = {} } of script.matchAll(jsToken)) {
    const { word, double, single, template, other } = groups;
    const text = double ?? single ?? template;
    const isImported = before === 'import(' || (isModule && (before === 'import' || before === 'from'));
    // Other names are not addresses: an import map says where they are.
    if (text && isImported && /^([a-z][a-z0-9+.-]*:|\/|\.\.?\/)/i.test(text))
      yield { kind: 'active', url: text };
    if (other === '(' && before === 'import') before = 'import(';
    else if (word || other || text !== undefined) before = word;
  }
}
