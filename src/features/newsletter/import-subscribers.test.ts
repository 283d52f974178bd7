import { describe, expect, test } from 'vitest';
import { databaseUnderTest } from '../../../tests/harness/databases.ts';
import { createSiteFixture } from '../../../tests/harness/site-fixture.ts';
import { bringToState, verbDeps } from '../../../tests/harness/subscribers.ts';
import { importSubscribers, readAddressList } from './import-subscribers.ts';
import { processSignUps } from './process-sign-ups.ts';

const read = (text: string | Buffer) => readAddressList(Buffer.from(text));

test('skips unsubscribed and suppressed addresses of an exported list', () => {
  const { addresses, optedOut } = read(
    'address,state,left_at,suppressed_at\na@example.com,confirmed,,\nb@example.com,unsubscribed,2026-11-01T09:00:00.000Z,\n' +
      'c@example.com,suppressed,,2026-11-01T09:00:00.000Z\nd@example.com,confirmed,2026-11-01T09:00:00.000Z,\n',
  );
  expect([addresses.map(({ address }) => address), optedOut]).toEqual([['a@example.com'], 3]);
});

describe.each(databaseUnderTest)('importing on $name', ({ create }) => {
  const fixture = createSiteFixture(create);

  const importNames = (names: string[], isDryRun = false) => {
    const { addresses } = read(names.map(name => `${name}@example.com`).join('\n'));
    return importSubscribers(verbDeps(fixture.site), addresses, { isDryRun });
  };

  test('mails each new mailbox once, and no known address', async () => {
    const standings = ['pending', 'confirmed', 'unsubscribed', 'owner', 'erased'] as const;
    for (const standing of standings)
      await bringToState(verbDeps(fixture.site), `${standing}@example.com`, standing);
    const { signUps, subscribers, consentTexts } = fixture.site.store;
    const names = [...standings, 'new', 'NEW', 'new+tag', 'other'];
    const counts = { added: 2, subscribed: 2, unsubscribed: 1, suppressed: 2, repeated: 2 };
    expect(await importNames(names, true)).toEqual(counts);
    expect(await signUps.count()).toBe(0);
    expect(await importNames(names)).toEqual(counts);
    // Before the sign-ups are processed, and after.
    const again = { ...counts, added: 0, subscribed: 4 };
    expect(await importNames(names)).toEqual(again);
    expect(await processSignUps(verbDeps(fixture.site))).toEqual({ mailed: 2, isLimitReached: false });
    expect(await importNames(names)).toEqual(again);
    expect(await signUps.count()).toBe(0);
    const added = await subscribers.get(fixture.site.newsletter.keys.subscriberPseudonym('new@example.com'));
    expect(added).toMatchObject({ state: 'pending', request_form: 'import' });
    const consentText = await consentTexts.get(added?.request_consent_text ?? '');
    expect(consentText?.text).toContain('Imported by the owner');
  });
});

test.each([
  ['one address per line', 'a@example.com\n\n b@example.com \n'],
  ['a column by name', 'Name,E-Mail\r\n"Ann, B",a@example.com\r\n,b@example.com\r\n'],
  ['a column after a postal address', 'Address,Email\n1 Road,a@example.com\n2 Road,b@example.com\n'],
  ['semicolons', 'email;name\na@example.com;Ann\nb@example.com\n'],
  ['a byte order mark', '\uFEFF"address"\r\n"a@example.com"\r\n"b@example.com"\r\n'],
  ['UTF-16', Buffer.from('\uFEFFemail\tname\r\na@example.com\tAnn\r\nb@example.com\r\n', 'utf16le')],
])('reads %s', (_, text) => {
  expect(read(text).addresses.map(({ address }) => address)).toEqual(['a@example.com', 'b@example.com']);
});

test('removes the apostrophe that an export added, and reports lines without an address', () => {
  const list = read("email,name\n'+a@example.com,Ann\nnone,Bob\n,Cyd\no'b@example.com,Dan\n");
  expect(list.addresses.map(({ address }) => address)).toEqual(['+a@example.com', "o'b@example.com"]);
  expect(list.invalidLines).toEqual([3, 4]);
});

test.each([
  ['', 'it is empty'],
  ['Ann,a@example.com\n', "no column 'email'"],
])('says why %j cannot be read', (text, reason) => expect(() => read(text)).toThrow(reason));
