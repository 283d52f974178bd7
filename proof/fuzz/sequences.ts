import fc from 'fast-check';
import { contactPath, idempotencyHeader } from '../../src/features/messages/contract.ts';
import { messages } from '../../src/features/messages/feature.ts';
import { newsletterPaths, signUpPath } from '../../src/features/newsletter/contract.ts';
import { processSignUps } from '../../src/features/newsletter/process-sign-ups.ts';
import { unsentField } from '../../src/ui/contract.ts';
import type { TestDatabase } from '../../tests/harness/databases.ts';
import type { TestSite } from '../../tests/harness/site.ts';
import { makeToken, verbDeps } from '../../tests/harness/subscribers.ts';
import { check } from './check-response.ts';

type Options = { runs: number; seed: number };

const press = fc.record({ key: fc.nat(2), words: fc.nat(2), how: fc.constantFrom('json', 'form') });

/** The same keys with the same words and with others, one after the other and at once: a key is one message for ever. */
export async function fuzzKeys(
  site: TestSite,
  database: TestDatabase,
  { runs, seed }: Options,
): Promise<void> {
  let round = 0;
  const property = fc.asyncProperty(
    fc.array(fc.array(press, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    async groups => {
      round += 1;
      for (const group of groups) {
        const sent = await Promise.all(
          group.map(one => send(site, { ...one, key: `fuzz-${round}-${one.key}` })),
        );
        const keys = sent.map(({ key }) => `'${key}'`);
        const rows = await database.query(
          `select idempotency_key as key, message, reference from messages where idempotency_key in (${keys})`,
        );
        check(new Set(rows.map(({ key }) => key)).size === rows.length, 'a key has two messages');
        for (const { key, message, isTaken, reference } of sent) {
          const row = rows.find(one => one.key === key);
          check(
            isTaken === (row?.message === message),
            `${key} is ${row?.message}, and ${message} was ${isTaken ? '' : 'not '}taken`,
          );
          check(
            !reference || reference === row?.reference,
            `${key} is ${row?.reference}, answered ${reference}`,
          );
        }
      }
    },
  );
  await fc.assert(property, { numRuns: runs, seed });
}

type Press = { key: string; words: number; how: string };

async function send(site: TestSite, { key, words, how }: Press) {
  const fields = { name: 'Ann', email: '', message: `words ${words}`, service: '' };
  const isJson = how === 'json';
  const response = await fetch(site.origin + contactPath, {
    method: 'POST',
    redirect: 'manual',
    headers: isJson ? { 'content-type': 'application/json', [idempotencyHeader]: key } : {},
    body: isJson
      ? JSON.stringify(fields)
      : new URLSearchParams({ ...fields, [unsentField]: JSON.stringify({ key, fields }) }),
  });
  const text = await response.text();
  check([200, 422, 303].includes(response.status), `answered ${response.status}`);
  const isTaken = isJson
    ? response.status === 200
    : /#(sent|empty)$/.test(response.headers.get('location') ?? '');
  const reference: string | undefined = response.status === 200 ? JSON.parse(text).reference : undefined;
  return { key: site.started.get(messages).hashKey(key), message: fields.message, isTaken, reference };
}

const step = fc.oneof(
  fc.constantFrom('ask' as const, 'confirm' as const, 'confirm again' as const, 'leave' as const),
  fc.record({
    wrong: fc.constantFrom('confirm' as const, 'leave' as const),
    at: fc.nat(41),
    put: fc.constantFrom('A', '_', '%00', '', 'é', '&token=a'),
  }),
);

/** In and out of the newsletter in any order, with links that were changed on the way: those change nothing. */
export async function fuzzNewsletter(site: TestSite, { runs, seed }: Options): Promise<void> {
  const deps = verbDeps(site, 100_000);
  let round = 0;
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async steps => {
    round += 1;
    const address = `reader-${round}@example.com`;
    const id = deps.newsletterKeys.subscriberPseudonym(address);
    const stateOf = async () => (await site.store.subscribers.get(id))?.state ?? 'none';
    const post = (path: string, query: string) => pressButton(site, `${path}?${query}`);
    const confirm = (token: string) => post(newsletterPaths.confirm, `token=${token}`);
    const leave = (key: string) => post(newsletterPaths.unsubscribe, `id=${id}&key=${key}`);
    let used = deps.ids.token();
    for (const one of steps) {
      const before = await stateOf();
      const isPending = before === 'pending';
      if (one === 'ask') {
        await signUp(site, address);
        await processSignUps(deps);
        const allowed = { none: ['pending'], unsubscribed: ['pending', 'unsubscribed'] }[before as 'none'];
        check((allowed ?? [before]).includes(await stateOf()), `${before}, asked, and ${await stateOf()}`);
      } else if (one === 'confirm') {
        if (before === 'none') continue;
        used = await makeToken(deps, id);
        check(
          (await confirm(used)) === (isPending ? newsletterPaths.confirmed : newsletterPaths.expired),
          'confirmed or not',
        );
        check(
          (await stateOf()) === (isPending ? 'confirmed' : before),
          `${before}, confirmed, and ${await stateOf()}`,
        );
      } else if (one === 'confirm again') {
        check((await confirm(used)) === newsletterPaths.expired, 'a token was used twice');
        check((await stateOf()) === before, `${before}, and a used token made it ${await stateOf()}`);
      } else if (one === 'leave') {
        check(
          (await leave(deps.newsletterKeys.unsubscribeKey(id))) === newsletterPaths.unsubscribed,
          'not left',
        );
        check(
          (await stateOf()) === (before === 'none' ? 'none' : 'unsubscribed'),
          `${before}, left, and ${await stateOf()}`,
        );
      } else {
        const isToken = one.wrong === 'confirm';
        const right =
          isToken && before !== 'none' ? await makeToken(deps, id) : deps.newsletterKeys.unsubscribeKey(id);
        const wrong = right.slice(0, one.at) + one.put + right.slice(one.at + 1);
        if (wrong === right) continue;
        const answer = isToken ? await confirm(wrong) : await leave(wrong);
        check(
          answer === (isToken ? newsletterPaths.expired : newsletterPaths.unsubscribeFailed),
          `a wrong link led to ${answer}`,
        );
        check((await stateOf()) === before, `${before}, and a wrong link made it ${await stateOf()}`);
      }
    }
  });
  await fc.assert(property, { numRuns: runs, seed });
}

async function signUp(site: TestSite, email: string): Promise<void> {
  const response = await fetch(site.origin + signUpPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  await response.text();
  check(response.status === 200, `asking was answered ${response.status}`);
}

async function pressButton(site: TestSite, path: string): Promise<string> {
  const response = await fetch(site.origin + path, { method: 'POST', redirect: 'manual' });
  await response.text();
  return response.headers.get('location') ?? `${response.status}`;
}
