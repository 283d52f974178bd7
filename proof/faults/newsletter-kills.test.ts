import { describe, expect, test } from 'vitest';
import { createSmtpServer } from '../../tests/fakes/smtp-server.ts';
import { databases } from '../../tests/harness/databases.ts';
import { killWhileSending } from './newsletter-kills.ts';

const subscribers = 10_000;
const kills = 3;

describe.each(databases)('an issue for 10,000 subscribers on $name', ({ name, create }) => {
  test(`reaches every subscriber at most once through ${kills} kills, and misses none`, async () => {
    const database = await create();
    await using smtp = await createSmtpServer();
    const { missed, twice, unconfirmed, states, queueMs, peakMb } = await killWhileSending(database, smtp, {
      subscribers,
      kills,
    });
    expect({ missed, twice, failed: states.failed }).toEqual({ missed: [], twice: [], failed: 0 });
    expect(unconfirmed.length).toBeLessThanOrEqual(kills * 5);
    expect(states.delivered).toBe(subscribers - unconfirmed.length);
    await database.remove();
    process.stdout.write(
      `${name}: queued in ${Math.round(queueMs)} ms, ${smtp.mails.length} mails, ${unconfirmed.length} unconfirmed, 0 missed, 0 twice, at most ${Math.round(peakMb ?? 0)} MB\n`,
    );
  });
});
