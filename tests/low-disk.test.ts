import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contactPath } from '../src/features/messages/contract.ts';
import { signUpPath } from '../src/features/newsletter/contract.ts';
import { createHttpService } from './fakes/http-service.ts';
import { databaseUnderTest } from './harness/databases.ts';
import { postJson } from './harness/requests.ts';
import { startSite } from './harness/site.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test.each(databaseUnderTest)(
  'a site with little disk space, on $name, is ready, stores messages, delivers by network, and writes the files later',
  async ({ create }) => {
    await using hook = await createHttpService(() => ({ status: 204 }));
    await using database = await create();
    let reason: string | undefined = '1 MB of disk space are free';
    const env = { ...database.env, WEBHOOK_URL: hook.url, WEBHOOK_SECRET: secret };
    await using site = await startSite(env, { checkDiskSpace: async () => reason });
    await site.worker.start();
    const signUp = { email: 'zoe@example.com', form: 'home', wording: '' };
    expect((await postJson(site.origin + contactPath, { message: 'Please call.' })).status).toBe(200);
    expect((await postJson(site.origin + signUpPath, signUp)).status).toBe(200);
    await expect
      .poll(() => hook.requests.map(({ body }) => JSON.parse(body).type).sort())
      .toEqual(['message.received', 'site.notice']);
    const waiting = async () =>
      (await site.store.outbox.list({ states: ['waiting'] }, 10)).map(({ receiver }) => receiver);
    await expect.poll(async () => (await waiting()).sort()).toEqual(['confirmations', 'mail', 'sheet']);
    expect((await fetch(`${site.origin}/readyz`)).status).toBe(200);
    const written = () => ['mail', 'messages.csv'].filter(name => existsSync(join(database.dataDir, name)));
    expect(written()).toEqual([]);

    reason = undefined;
    site.worker.wake();
    await expect.poll(() => site.store.outbox.count({ states: ['waiting', 'sending'] })).toBe(0);
    expect(written()).toHaveLength(2);
    expect(readdirSync(join(database.dataDir, 'mail'))).toHaveLength(2);
  },
);
