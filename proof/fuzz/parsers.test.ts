import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isForApi } from '../../src/apps/server/serve.ts';
import { createClientIp, parseRange } from '../../src/core/http/client-ip.ts';
import { acceptedEncodings, matchesTag } from '../../src/core/http/content-negotiation.ts';
import { parseFields, parseObject } from '../../src/core/http/parse-fields.ts';
import { parseContentType } from '../../src/core/http/read-body.ts';
import { loadFiles } from '../../src/core/http/static-files.ts';
import { verifyWebhookSignature } from '../../src/core/http/webhook-signature.ts';
import { redactPath } from '../../src/core/log.ts';
import {
  parseIdempotencyKey,
  parseMessageForm,
  parseMessageJson,
} from '../../src/features/messages/api/parse-message.ts';
import { type MessageFieldName, messageFieldNames } from '../../src/features/messages/message-fields.ts';
import { parseBounceReports } from '../../src/features/newsletter/api/parse-bounce-reports.ts';
import { readAddressList } from '../../src/features/newsletter/import-subscribers.ts';
import { parseDeliverableAddress } from '../../src/lib/email-address.ts';
import { builtSite } from '../../tests/harness/site.ts';
import { body } from './bodies.ts';
import { bytes, cleanText, email, mutated, text } from './text-arbitraries.ts';

const seed = 20_261_115;
const options = { seed, numRuns: 2000 };

const files = loadFiles(builtSite);
const clientIp = createClientIp([{ ip: '10.0.0.0', prefix: 8, family: 'ipv4' }]);
/** Whatever takes a stranger's text, as a name and a call. */
const readers: Record<string, (given: string) => unknown> = {
  parseObject,
  parseFields,
  parseJson: parseMessageJson,
  parseForm: parseMessageForm,
  parseKey: given => parseIdempotencyKey(visible(given)),
  parseReports: parseBounceReports,
  'parseReports of an address': given =>
    parseBounceReports(JSON.stringify({ type: 'bounce', address: given })),
  parseDeliverableAddress,
  parseRange,
  redactPath,
  acceptedEncodings: given => acceptedEncodings(`${visible(given)},${unique()}`),
  matchesTag: given => matchesTag(visible(given), '"a"'),
  clientIp: given => clientIp('10.0.0.1', visible(given)),
  canonical: files.canonical,
  isForApp: given => isForApi(given, 'POST'),
  postKind: given =>
    parseContentType(new Request('http://a/', { headers: { 'content-type': visible(given) } })),
  isSignedCall: given =>
    verifyWebhookSignature(
      new Headers({ 'webhook-id': 'a', 'webhook-timestamp': '0', 'webhook-signature': visible(given) }),
      given,
      { secrets: [Buffer.from('secret')], now: new Date(0) },
    ),
};

/** What made regular expressions slow in other houses: long runs that almost fit. */
const runs =
  'a| |\t|@|.|a.|a@|,|;|"|<|<>|%|%41|&|=|/|/index|1|1.|[|\r\n|\r\n |a\r\n|:|+41|{"a":|::|-|q=|W/|__proto__.'.split(
    '|',
  );

/** It remembers what it was asked, and is to be asked anew. */
function unique(): number {
  calls += 1;
  return calls;
}
let calls = 0;

/** What the parser of HTTP lets through. */
function visible(given: string): string {
  return given.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim();
}

test('no text makes any of them throw', () => {
  const given = fc.oneof(
    text,
    email,
    bytes,
    body.map(one => one.bytes),
  );
  fc.assert(
    fc.property(given, one => {
      for (const [name, read] of Object.entries(readers)) {
        try {
          read(one);
        } catch (error) {
          throw new Error(`${name} threw`, { cause: error });
        }
      }
    }),
    options,
  );
});

/** In ms of work: what grows with the square of its length takes a second or more. */
const longest = 250;

test('no text of 64 KB holds any of them up', () => {
  for (const [name, read] of Object.entries(readers)) {
    for (const run of runs) {
      for (const end of ['', '!']) {
        const given = run.repeat(64_000 / run.length) + end;
        // Once is enough, unless the machine had something else in hand.
        const spent = cost(read, given) < longest ? 0 : best(() => cost(read, given));
        expect(spent, `${name} of ${JSON.stringify(run + end)}`).toBeLessThan(longest);
      }
    }
  }
});

/** Milliseconds of this thread's own work: what else the machine does must not count. */
function cost(read: (given: string) => unknown, given: string): number {
  const before = process.threadCpuUsage();
  read(given);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function best(measure: () => number): number {
  return Math.min(...Array.from({ length: 4 }, measure));
}

describe('what was written is read back', () => {
  const fields = fc.record(
    Object.fromEntries(messageFieldNames.map(name => [name, cleanText])) as Record<
      MessageFieldName,
      typeof cleanText
    >,
  );

  test('a message as JSON', () => {
    fc.assert(
      fc.property(fields, one => {
        expect(parseMessageJson(JSON.stringify(one))).toMatchObject({ fields: one });
      }),
      options,
    );
  });

  test('a message as a form', () => {
    fc.assert(
      fc.property(fields, one => {
        const form = parseMessageForm(new URLSearchParams(one).toString());
        for (const name of messageFieldNames) expect(form?.fields[name]).toBe(one[name]);
      }),
      options,
    );
  });

  test('an address, which is the same read once more, and cannot begin another', () => {
    fc.assert(
      fc.property(fc.oneof(email, mutated(fc.emailAddress(), fc.oneof(bytes, text))), one => {
        const parsed = parseDeliverableAddress(one);
        if (!parsed) return;
        expect(parseDeliverableAddress(parsed.address)).toEqual(parsed);
        expect(parsed.address).toMatch(/^[\x21-\x7e]+$/);
        expect(parsed.address).not.toMatch(/[\s,;:<>()"\\]/);
      }),
      options,
    );
  });
});

test('a list of addresses that cannot be read is called so, and each line of the others counts once', () => {
  const list = mutated(fc.constant('email;name\r\n"ann@example.com";Ann\r\n'), fc.oneof(bytes, text));
  fc.assert(
    fc.property(fc.oneof(list, bytes), given => {
      try {
        const { invalidLines } = readAddressList(Buffer.from(given, 'latin1'));
        expect(new Set(invalidLines).size).toBe(invalidLines.length);
      } catch (error) {
        expect((error as Error).message).toMatch(/^it( i)?s |[Qq]uote/);
      }
    }),
    options,
  );
});

test('a page is found by its own spelling, and no other path leads out of the build', () => {
  const path = mutated(
    fc.constantFrom('/contact', '/', '/faq', '/newsletter/leave'),
    fc.constantFrom('/', '..', '%2e', '%2f', '\\', 'A', '.html', '%', 'index'),
  );
  fc.assert(
    fc.property(path, one => {
      const found = files.canonical(one);
      if (found !== undefined) expect(files.get(found)?.kind).toBe('page');
    }),
    options,
  );
});

test('encodings are ours, each once, and what weighs nothing is not sent', () => {
  const item = fc.tuple(
    fc.constantFrom('br', 'gzip', 'zstd', '*', 'identity', 'x'),
    fc.constantFrom('', ';q=0', ';q=1', ';q=0.5', ';q=', ';q=x', '; q=0'),
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), items => {
      const accepted = acceptedEncodings(items.map(parts => parts.join('')).join(', '));
      expect(new Set(accepted).size).toBe(accepted.length);
      for (const name of accepted) {
        const last = items.findLast(([one]) => one === name) ?? items.findLast(([one]) => one === '*');
        expect(last?.[1]).not.toMatch(/q=0$/);
      }
    }),
    options,
  );
});
