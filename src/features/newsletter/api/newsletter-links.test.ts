import { beforeAll, describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../../tests/harness/databases.ts';
import { form, origin } from '../../../../tests/harness/requests.ts';
import type { WiredSite } from '../../../../tests/harness/site.ts';
import { createSiteFixture } from '../../../../tests/harness/site-fixture.ts';
import { bringToState, makeToken, type VerbDeps, verbDeps } from '../../../../tests/harness/subscribers.ts';
import { randomIds } from '../../../core/ids.ts';
import { newsletterPaths } from '../contract.ts';
import { createNewsletterFeature } from '../feature.ts';

const day = 24 * 3_600_000;

describe.each(databaseUnderTest)('the newsletter steps on $name', ({ create }) => {
  const fixture = createSiteFixture(create, { emptied: ['deliveries', 'tokens', 'subscribers'] });
  const { fetch, lines, wireSite } = fixture;
  let deps: VerbDeps;
  beforeAll(() => {
    deps = verbDeps(fixture.site);
  });

  const stateOf = async (id: string) => (await deps.subscribers.get(id))?.state;

  /** As the page's own button posts it: no field, no script. */
  async function press(
    path: string,
    query: string,
    { app }: Pick<WiredSite, 'app'> = fixture.site,
  ): Promise<string | null> {
    const response = await app.fetch(form('', { origin }, `${path}?${query}`));
    expect([response.status, await response.text()]).toEqual([303, '']);
    return response.headers.get('location');
  }

  const unsubscribeQuery = (id: string, key = deps.newsletterKeys.unsubscribeKey(id)) =>
    String(new URLSearchParams({ id, key }));

  /** As a mail client posts it: without origin and cookies. */
  const oneClick = (query: string, { app }: Pick<WiredSite, 'app'> = fixture.site) =>
    app.fetch(form('List-Unsubscribe=One-Click', {}, `${newsletterPaths.unsubscribe}?${query}`));

  test('confirming works by the button; a used, expired, unknown or missing token gets the same page', async () => {
    const id = await bringToState(deps, 'zoe@example.com', 'pending');
    const [token, late] = [await makeToken(deps, id), await makeToken(deps, id)];
    fixture.now += 7 * day;
    expect(await press(newsletterPaths.confirm, `token=${late}`)).toBe(newsletterPaths.expired);
    fixture.now -= day;
    for (const query of ['', `token=${randomIds.token()}`, `token=${token}&token=${token}`, 'token=%00'])
      expect(await press(newsletterPaths.confirm, query)).toBe(newsletterPaths.expired);
    expect(await stateOf(id)).toBe('pending');
    expect(await press(newsletterPaths.confirm, `token=${token}`)).toBe(newsletterPaths.confirmed);
    expect(await stateOf(id)).toBe('confirmed');
    expect(await press(newsletterPaths.confirm, `token=${token}`)).toBe(newsletterPaths.expired);
  });

  describe('unsubscribing', () => {
    test('works by the button with a valid link, repeatedly', async () => {
      const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
      const leave = (query: string) => press(newsletterPaths.unsubscribe, query);
      const [valid, other] = [unsubscribeQuery(id), deps.newsletterKeys.unsubscribeKey('other')];
      for (const query of ['', unsubscribeQuery(id, other), `${valid}&id=${id}`, `id=${id}`])
        expect(await leave(query)).toBe(newsletterPaths.unsubscribeFailed);
      expect((await oneClick(unsubscribeQuery(id, 'x'))).status).toBe(404);
      expect(await stateOf(id)).toBe('confirmed');
      for (const _again of [1, 2]) expect(await leave(valid)).toBe(newsletterPaths.unsubscribed);
      expect(await stateOf(id)).toBe('unsubscribed');
    });

    const parts =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    test.each<[string, string, Record<string, string>]>([
      ['a form', 'List-Unsubscribe=One-Click', {}],
      ['a form from another site', 'List-Unsubscribe=One-Click', { origin: 'https://mail.example' }],
      ['a form in parts', parts, { 'content-type': 'multipart/form-data; boundary=x' }],
    ])("is one click of the mail program's: %s", async (_, body, headers) => {
      const id = await bringToState(deps, 'zoe@example.com', 'confirmed');
      for (const _again of [1, 2]) {
        const response = await fetch(
          form(body, headers, `${newsletterPaths.unsubscribe}?${unsubscribeQuery(id)}`),
        );
        expect([response.status, response.headers.get('location')]).toEqual([200, null]);
        expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
      }
      expect(await stateOf(id)).toBe('unsubscribed');
    });
  });

  test('nothing happens by opening a link', async () => {
    const pending = await bringToState(deps, 'max@example.com', 'pending');
    const confirmed = await bringToState(deps, 'zoe@example.com', 'confirmed');
    const links = [
      `${newsletterPaths.confirm}?token=${await makeToken(deps, pending)}`,
      `${newsletterPaths.unsubscribe}?${unsubscribeQuery(confirmed)}`,
    ];
    for (const link of links) {
      for (const method of ['GET', 'HEAD'])
        expect((await fetch(new Request(origin + link, { method }))).status).toBe(404);
    }
    expect([await stateOf(pending), await stateOf(confirmed)]).toEqual(['pending', 'confirmed']);
  });

  test('while the store fails a button gets an error page and one click 503, and no secret is logged', async () => {
    const fail = () => Promise.reject(new Error('no room'));
    const subscribers = { ...fixture.site.store.subscribers, inTransaction: fail };
    const other = await wireSite({}, { features: [createNewsletterFeature({ subscribers })] });
    const [query, token] = [unsubscribeQuery('someone'), randomIds.token()];
    expect(await press(newsletterPaths.confirm, `token=${token}`, other)).toBe(newsletterPaths.unavailable);
    expect(await press(newsletterPaths.unsubscribe, query, other)).toBe(newsletterPaths.unavailable);
    const response = await oneClick(query, other);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await other.app.fetch(new Request(`${origin}/readyz`))).status).toBe(503);
    const logged = lines.join('');
    expect(logged).toMatch(/unsubscription not stored.*no room/);
    for (const secret of ['someone', deps.newsletterKeys.unsubscribeKey('someone'), token])
      expect(logged).not.toContain(secret);
  });
});
