import { describe, expect, test } from 'vitest';
import { createMailReceiver } from '../src/deliveries/mail/mail-receiver.ts';
import { readMailSettings } from '../src/server/settings/mail-settings.ts';
import { createSettingsReader } from '../src/server/settings/settings-reader.ts';
import { startFakes } from './fakes/start-fakes.ts';

const mine = {
  SHEET_URL: 'https://sheet.example.com',
  SMTP_URL_FILE: '/run/secrets/smtp',
  NOTIFY_EMAIL: 'me@example.com',
};

describe('the fakes of npm run dev', () => {
  test('stand in for services that are not configured, and print their URLs', async () => {
    const env: Record<string, string | undefined> = { SHEET_URL: ' ' };
    const lines: string[] = [];
    await using _ = await startFakes(env, line => lines.push(line));
    expect(env).toEqual({
      SHEET_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      SMTP_URL: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+$/),
      NOTIFY_EMAIL: 'owner@localhost',
      DATA_DIR: 'data/dev',
    });
    expect(lines.length).toBe(2);
    expect(lines[0]).toContain(env.SHEET_URL);
    expect((await fetch(env.SHEET_URL ?? '')).headers.get('content-type')).toContain('text/html');
  });

  test('print each mail in one line', async () => {
    const env: Record<string, string | undefined> = { NOTIFY_EMAIL: 'me@example.com' };
    const lines: string[] = [];
    await using _ = await startFakes(env, line => lines.push(line));
    const settings = readMailSettings(createSettingsReader(env), { siteUrl: undefined });
    const outcome = await createMailReceiver(settings, { dataDir: '/nowhere' }).deliver(
      {
        kind: 'notice',
        reference: 'N-1',
        receivedAt: '2026-01-02T03:04:05.678Z',
        title: 'Hello',
        text: 'Hello',
      },
      { isPossibleDuplicate: false, signal: new AbortController().signal },
    );
    expect(outcome).toEqual({ kind: 'delivered' });
    expect(lines.at(-1)).toBe('Mail to me@example.com: Hello');
  });

  test.each([mine, { ...mine, SMTP_URL: 'smtp://x' }])(
    'do not replace %j, and print that it is real',
    async given => {
      const env: Record<string, string | undefined> = { ...given, DATA_DIR: '/srv/data' };
      const lines: string[] = [];
      await using _ = await startFakes(env, line => lines.push(line));
      expect(env).toEqual({ ...given, DATA_DIR: '/srv/data' });
      expect(lines).toEqual(['SHEET_URL', 'SMTP_URL'].map(name => `${name} is set, and is called for real`));
    },
  );

  test('are not started when they are switched off', async () => {
    const env: Record<string, string | undefined> = { DEV_FAKES: 'off' };
    await using _ = await startFakes(env, line => expect.unreachable(line));
    expect(env).toEqual({ DEV_FAKES: 'off' });
  });
});
