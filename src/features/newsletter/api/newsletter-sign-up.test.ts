import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../../tests/harness/databases.ts';
import * as requests from '../../../../tests/harness/requests.ts';
import { createSiteFixture } from '../../../../tests/harness/site-fixture.ts';
import { bringToState, subscriberStates, verbDeps } from '../../../../tests/harness/subscribers.ts';
import { newsletterPaths, signUpPath } from '../contract.ts';
import { createNewsletterFeature } from '../feature.ts';
import { signUpLimits } from '../limits.ts';
import { maxNewsletterBytes } from './newsletter-sign-up.ts';

const words = { email: 'zoe@example.com', form: 'home', wording: '' };

const json = (body: unknown, headers = {}) => requests.json(body, headers, signUpPath);
const form = (fields: Record<string, string> | string, headers = {}) =>
  requests.form(fields, headers, signUpPath);

describe.each(databaseUnderTest)('signing up for the newsletter on $name', ({ create }) => {
  const fixture = createSiteFixture(create, { emptied: ['deliveries', 'sign_ups', 'subscribers'] });
  const { fetch, lines, query, wireSite } = fixture;

  const stored = () => query('select subscriber, address, form, consent_text, requested_at from sign_ups');

  test('stores the address, the form and the consent text, and says to check the inbox', async () => {
    const response = await fetch(json({ ...words, email: ' Zoe@Example.com', extra: 1 }));
    expect([response.status, await response.text()]).toEqual([
      200,
      '{"message":"Check your inbox to confirm"}',
    ]);
    const [row] = await stored();
    expect(row).toEqual({
      subscriber: fixture.site.newsletter.keys.subscriberPseudonym('zoe@example.com'),
      address: 'Zoe@example.com',
      form: 'home',
      requested_at: new Date(fixture.start).toISOString(),
      consent_text: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(await fixture.site.store.consentTexts.get(row?.consent_text as string)).toMatchObject({
      text: expect.stringContaining(' '),
    });
  });

  test('leads without JavaScript to one page, and from an unknown form counts as from its own page', async () => {
    const response = await fetch(form({ ...words, form: 'https://evil.example' }));
    expect([response.status, response.headers.get('location')]).toEqual([303, newsletterPaths.requested]);
    expect(await stored()).toMatchObject([{ address: words.email, form: 'newsletter' }]);
  });

  test('has the same response for an address in any state', async () => {
    const deps = verbDeps(fixture.site);
    for (const standing of subscriberStates) await bringToState(deps, `${standing}@example.com`, standing);
    const answers = new Set<string>();
    for (const standing of subscriberStates) {
      for (const make of [json, form]) {
        const response = await fetch(make({ ...words, email: `${standing}@example.com` }));
        const headers = [...response.headers].filter(([name]) => name !== 'x-request-id');
        answers.add(JSON.stringify([make === form, response.status, headers, await response.text()]));
      }
    }
    expect(answers.size).toBe(2);
    expect(await stored()).toHaveLength(2 * subscriberStates.length);
  });

  test('without JavaScript leads to the error notice for an invalid address, or too large a form', async () => {
    for (const wrong of [{ email: 'zoe@example' }, { wording: 'x'.repeat(maxNewsletterBytes) }]) {
      const response = await fetch(form({ ...words, ...wrong }));
      expect(response.headers.get('location')).toBe(newsletterPaths.invalid);
    }
    expect(await stored()).toEqual([]);
  });

  test('too often from one client is 429; messages are counted separately', async () => {
    const limited = await wireSite({ RATE_LIMIT: 'on' });
    const send = (request: Request) => limited.app.fetch(request, { ip: '192.0.2.1' });
    for (let count = 0; count < signUpLimits.newsletter.max; count += 1)
      await send(json({ email: 'nobody' }));
    const response = await send(json(words));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '600']);
    expect((await send(form(words))).headers.get('location')).toBe(newsletterPaths.invalid);
    expect(await stored()).toEqual([]);
    expect((await send(requests.json({}))).status).toBe(200);
    await limited[Symbol.asyncDispose]();
  });

  test('looks no address up before the response, so that its time tells nothing', async () => {
    const used: PropertyKey[] = [];
    const subscribers = new Proxy(fixture.site.store.subscribers, {
      get(all, name) {
        used.push(name);
        return Reflect.get(all, name);
      },
    });
    const other = await wireSite({}, { features: [createNewsletterFeature({ subscribers })] });
    used.length = 0;
    for (const make of [json, form]) expect((await other.app.fetch(make(words))).status).toBeLessThan(400);
    expect([await stored(), used]).toEqual([[expect.anything(), expect.anything()], []]);
    await verbDeps(other).subscribers.get('nobody');
    expect(used).not.toEqual([]);
  });

  test('while the store fails is 503, makes the process not ready, and logs no address', async () => {
    const signUps = { ...fixture.site.store.signUps, add: () => Promise.reject(new Error('no room')) };
    const other = await wireSite({}, { features: [createNewsletterFeature({ signUps })] });
    const response = await other.app.fetch(json(words));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await other.app.fetch(form(words))).headers.get('location')).toBe(newsletterPaths.invalid);
    expect((await other.app.fetch(new Request(`${requests.origin}/readyz`))).status).toBe(503);
    expect(lines.join('')).toMatch(/sign-up not stored.*no room/);
    expect(lines.join('')).not.toContain('zoe');
  });
});
