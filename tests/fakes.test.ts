import { expect, test } from 'vitest';
import { startFakes } from './fakes/start-fakes.ts';

type Env = Record<string, string | undefined>;

async function start(env: Env): Promise<AsyncDisposable & { lines: string[] }> {
  const lines: string[] = [];
  const fakes = await startFakes(env, line => lines.push(line));
  return { lines, [Symbol.asyncDispose]: () => fakes[Symbol.asyncDispose]() };
}

test('the fakes of npm run dev stand in for services that are not configured', async () => {
  const env: Env = { SHEET_URL: ' ' };
  await using fakes = await start(env);
  expect(env).toEqual({
    SHEET_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    SMTP_URL: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+$/),
    NOTIFY_EMAIL: 'owner@localhost',
    DATA_DIR: 'data/dev',
  });
  expect(fakes.lines[0]).toContain(env.SHEET_URL);
  expect(await (await fetch(env.SHEET_URL ?? '')).json()).toEqual([]);
});

test.each<Env>([
  {
    SHEET_URL: 'https://sheet.example.com',
    SMTP_URL_FILE: '/run/secrets/smtp',
    NOTIFY_EMAIL: 'me@example.com',
  },
  { DEV_FAKES: 'off' },
])('they do not replace %j', async given => {
  const env = { ...given, DATA_DIR: '/srv/data' };
  await using fakes = await start(env);
  expect(env).toEqual({ ...given, DATA_DIR: '/srv/data' });
  const real = ['SHEET_URL', 'SMTP_URL'].map(name => `${name} is set, and is called for real`);
  const audits = expect.stringContaining('The audit knows fake domains only: example.com');
  expect(fakes.lines).toEqual(given.DEV_FAKES ? [] : [...real, audits]);
});
