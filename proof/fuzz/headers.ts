import fc from 'fast-check';
import { idempotencyHeader, tokenHeader } from '../../src/features/messages/contract.ts';
import { personalMarker } from './text-arbitraries.ts';

export type HeaderPair = [name: string, value: string];

/** What our server looks at, with what it knows and what it does not. */
const known: Record<string, string[]> = {
  'Content-Type': [
    'application/json',
    'application/json; charset=utf-8',
    'application/JSON;charset="UTF-8"',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'text/plain',
    ';',
    '',
  ],
  'Content-Encoding': ['gzip', 'identity', ''],
  'Sec-Fetch-Site': ['same-origin', 'none', 'same-site', 'cross-site', personalMarker],
  'Sec-Fetch-Mode': ['navigate', 'cors'],
  'Sec-Fetch-Dest': ['document', 'empty'],
  Origin: ['http://www.example.com', 'https://evil.example', 'null', '', personalMarker],
  [idempotencyHeader]: [
    'one',
    '"two"',
    `"${personalMarker}"`,
    `${personalMarker} a`,
    '""',
    'a b',
    'x'.repeat(201),
    '"',
  ],
  [tokenHeader]: [
    '',
    personalMarker,
    'zzzzzz.',
    `${Date.now().toString(36)}.${personalMarker}`,
    '.',
    '0.0',
    'x'.repeat(3000),
  ],
  'If-None-Match': ['*', '"a"', 'W/"a", "b"', '"', ','.repeat(500)],
  'If-Match': ['"a"', '*'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'never'],
  'If-Range': ['"a"'],
  Range: ['bytes=0-0', 'bytes=-1', 'bytes=9-1', `bytes=${'0-0,'.repeat(200)}0-1`, 'lines=1-2'],
  'Accept-Encoding': [
    'br',
    'gzip;q=0, *',
    'identity;q=0',
    '*;q=0',
    'br;q=nonsense',
    ';',
    `${'a,'.repeat(800)}br`,
  ],
  Accept: ['application/json', 'text/html', '*/*;q=0'],
  'X-Forwarded-For': [
    '1.2.3.4',
    '::1',
    `${personalMarker}, 10.0.0.1`,
    ','.repeat(300),
    '[::1]:80',
    '1.2.3.4%',
  ],
  'X-Forwarded-Host': ['evil.example'],
  Forwarded: ['for=1.2.3.4;host=evil.example'],
  Connection: ['close', 'keep-alive', 'upgrade', 'Host', 'a, b'],
  Upgrade: ['websocket', 'h2c'],
  Expect: ['100-continue', 'a miracle'],
  Cookie: [`a=${personalMarker}`, `${'a=b; '.repeat(300)}`],
  Authorization: [`Basic ${personalMarker}`, `Bearer ${personalMarker}`],
  Referer: [`http://evil.example/${personalMarker}`],
  'User-Agent': [personalMarker, ''],
  'X-HTTP-Method-Override': ['DELETE'],
  'Keep-Alive': ['timeout=0', 'timeout=-1'],
  TE: ['trailers'],
  Trailer: ['Content-Length'],
  'X-Original-URL': ['/api/contact'],
};

/** Those on which the most depends. */
const weighty = Object.entries(known).filter(([name]) =>
  /^(Content-Type|Sec-Fetch-Site|Origin)$|key|token/.test(name),
);

const pair: fc.Arbitrary<HeaderPair> = fc
  .oneof(fc.constantFrom(...weighty), fc.constantFrom(...Object.entries(known)))
  .chain(([name, values]) => fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...values), value())));

/** Names that are allowed and mean nothing; those that frame a request are the business of noise. */
const strange: fc.Arbitrary<HeaderPair> = fc.tuple(
  fc
    .string({ unit: fc.constantFrom(..."!#$%&'*+-.^_`|~09azAZ"), minLength: 1, maxLength: 20 })
    .filter(name => !framing.test(name)),
  value(),
);
const framing = /^(content-length|transfer-encoding|host)$/i;

/** Visible characters, tabs, and bytes that are no letters. */
function value(): fc.Arbitrary<string> {
  const units = fc.oneof(
    fc.integer({ min: 0x21, max: 0x7e }),
    fc.constantFrom(0x20, 0x09, 0xff, 0x80, 0x22, 0x2c, 0x3b),
  );
  return fc
    .array(units, { maxLength: 30 })
    .map(codes => `${personalMarker}${String.fromCharCode(...codes)}`.trim());
}

export const headers: fc.Arbitrary<HeaderPair[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<HeaderPair[]>([]) },
  {
    weight: 3,
    arbitrary: fc.array(fc.oneof({ weight: 5, arbitrary: pair }, { weight: 1, arbitrary: strange }), {
      maxLength: 4,
    }),
  },
);
