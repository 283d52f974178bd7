import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { contactPath, tokenHeader, tokenPath } from '../../src/features/messages/contract.ts';
import { bouncesPath, newsletterPaths, signUpPath } from '../../src/features/newsletter/contract.ts';
import { type Body, body, honestBody, longBody } from './bodies.ts';
import { type HeaderPair, headers } from './headers.ts';
import { bytes, mutated, pathMarker, personalMarker } from './text-arbitraries.ts';

/** One request in words, so that a failure can be read; `write` makes bytes of it. */
export type FuzzRequest = {
  method: string;
  target: string;
  headers: HeaderPair[];
  body: string;
  framing: 'length' | 'chunks' | 'none';
  /** How a mail provider's call is signed. */
  signature: 'none' | 'right' | 'wrong' | 'old';
  /** A message with nothing wrong about it: it must be stored. */
  isHonest: boolean;
};

export const bounceSecret = Buffer.from('a secret of thirty-two letters..');

const endpoints = [
  contactPath,
  signUpPath,
  bouncesPath,
  newsletterPaths.confirm,
  newsletterPaths.unsubscribe,
];
const readable = [tokenPath, '/healthz', '/readyz', '/', '/contact', '/creator', '/robots.txt', '/icon.svg'];

const query = fc.oneof(
  fc.constantFrom(
    '',
    '',
    '?',
    `?token=${personalMarker}`,
    `?id=${personalMarker}&key=${personalMarker}`,
    '?a=%0d%0ab:c',
    '?token=%ff',
  ),
  fc
    .tuple(fc.constantFrom('token', 'id', 'key', 'a'), fc.webQueryParameters())
    .map(([name, rest]) => `?${name}=${rest}`),
);

/** What stands for a path of ours, and a path that is none. */
const spelling = fc.constantFrom<(path: string) => string>(
  path => `${path}/`,
  path => `/${path}`,
  path => path.toUpperCase(),
  path => path.replace('c', '%63'),
  path => `${path}%00`,
  path => `/a/..${path}`,
  path => `/%2e%2e${path}`,
  path => `${path}/${pathMarker}`,
  path => `${path};${pathMarker}`,
  path => `${path}.html`,
  path => `http://www.example.com${path}`,
  path => `${path}#${pathMarker}`,
);
const anyPath = fc.oneof(
  fc.webPath().map(path => `/${path}${pathMarker}`),
  mutated(
    fc.constantFrom(...endpoints, ...readable),
    fc.constantFrom('/', '..', '%', '%2f', '\\', '\xff', pathMarker, '//'),
  ),
  fc.constantFrom(
    `/${'a'.repeat(9000)}`,
    '/%',
    '/%c0%ae',
    `/api/${pathMarker}`,
    '*',
    `/${'%2e%2e/'.repeat(50)}etc/passwd`,
  ),
);

const target = (paths: string[]) =>
  fc
    .tuple(
      fc.oneof(
        { weight: 10, arbitrary: fc.constantFrom(...paths) },
        {
          weight: 1,
          arbitrary: fc.tuple(spelling, fc.constantFrom(...paths)).map(([spell, path]) => spell(path)),
        },
        { weight: 1, arbitrary: anyPath },
      ),
      query,
    )
    .map(parts => parts.join(''));

const framing = fc.constantFrom<FuzzRequest['framing']>('length', 'length', 'length', 'chunks');

function request(parts: {
  method: fc.Arbitrary<string>;
  target: fc.Arbitrary<string>;
  headers: fc.Arbitrary<HeaderPair[]>;
  body: fc.Arbitrary<Body>;
  framing: fc.Arbitrary<FuzzRequest['framing']>;
  isHonest?: boolean;
}): fc.Arbitrary<FuzzRequest> {
  const signature = fc.constantFrom<FuzzRequest['signature']>('right', 'right', 'wrong', 'old', 'none');
  return fc.record({ ...parts, isHonest: fc.constant(parts.isHonest ?? false), signature }).map(made => ({
    ...made,
    signature: made.target.startsWith(bouncesPath) ? made.signature : 'none',
    body: made.framing === 'none' ? '' : made.body.bytes,
    headers:
      made.body.type && made.framing !== 'none' ? withType(made.headers, made.body.type) : made.headers,
  }));
}

function withType(given: HeaderPair[], type: string): HeaderPair[] {
  return given.some(([name]) => name.toLowerCase() === 'content-type')
    ? given
    : [...given, ['Content-Type', type]];
}

/** To where each is for, mostly. */
const post = request({ method: fc.constant('POST'), target: target(endpoints), headers, body, framing });
const contact = request({
  method: fc.constant('POST'),
  target: fc.constant(contactPath),
  headers,
  body,
  framing,
});
const read = request({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS'),
  target: target(readable),
  headers,
  body,
  framing: fc.constant('none'),
});
const odd = request({
  method: fc.constantFrom(
    'PUT',
    'PATCH',
    'DELETE',
    'TRACE',
    'QUERY',
    'PROPFIND',
    'HEAD',
    'OPTIONS',
    'LINK',
    'get',
    'SPLICE',
  ),
  target: target([...endpoints, ...readable]),
  headers,
  body,
  framing: fc.constantFrom('none', 'length'),
});
const honest = request({
  method: fc.constant('POST'),
  target: fc.constant(contactPath),
  headers: fc.constantFrom<HeaderPair[]>(
    [],
    [['Sec-Fetch-Site', 'same-origin']],
    [[tokenHeader, 'none of ours']],
  ),
  body: honestBody,
  framing,
  isHonest: true,
});
const long = request({
  method: fc.constant('POST'),
  target: fc.constantFrom(...endpoints),
  headers: fc.constant([]),
  body: longBody,
  framing,
});

export const requests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 30, arbitrary: post },
  { weight: 25, arbitrary: contact },
  { weight: 20, arbitrary: honest },
  { weight: 20, arbitrary: read },
  { weight: 10, arbitrary: odd },
  { weight: 1, arbitrary: long },
);

/** Bytes of a request with a few of them changed. No HEAD: where its response ends would be unknown. */
export const noise: fc.Arbitrary<string> = mutated(
  fc
    .oneof(post, read, odd, honest)
    .map(one => (one.method === 'HEAD' ? { ...one, method: 'GET' } : one))
    .map(one => serialize(one).toString('latin1').replaceAll(personalMarker, pathMarker)),
  fc.oneof(
    fc.constantFrom('\r\n', '\n', '\r', '\0', ':', ' ', '\t', '\xff', 'GET / HTTP/1.1\r\n\r\n', '0\r\n\r\n'),
    bytes,
  ),
);

export function serialize(asked: FuzzRequest): Buffer {
  const { method, target: where, framing: how, body: sent } = asked;
  const framed = how === 'chunks' ? chunk(sent) : sent;
  const length: HeaderPair[] =
    how === 'none'
      ? []
      : [how === 'chunks' ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${sent.length}`]];
  const lines = [['Host', 'www.example.com'], ...asked.headers, ...sign(asked), ...length].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${where} HTTP/1.1\r\n${lines.join('')}\r\n${framed}`, 'latin1');
}

function chunk(text: string): string {
  const middle = Math.floor(text.length / 3);
  const parts = [text.slice(0, middle), text.slice(middle)].filter(Boolean);
  return `${parts.map(part => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
}

function sign({ signature, body: sent }: FuzzRequest): HeaderPair[] {
  if (signature === 'none') return [];
  const seconds = Math.floor(Date.now() / 1000) - (signature === 'old' ? 3600 : 0);
  const mac = createHmac('sha256', signature === 'wrong' ? 'another' : bounceSecret);
  const value = mac.update(`a.${seconds}.`).update(Buffer.from(sent, 'latin1')).digest('base64');
  return [
    ['webhook-id', 'a'],
    ['webhook-timestamp', `${seconds}`],
    ['webhook-signature', `v1,${value}`],
  ];
}
