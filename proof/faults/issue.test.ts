import { describe, expect, test } from 'vitest';
import { createSmtpServer } from '../../tests/fakes/smtp-server.ts';
import { databases } from '../../tests/harness/databases.ts';
import { killWhileSending } from './issue-kills.ts';

const readers = 10_000;
const kills = 3;

describe.each(databases)('an issue for 10,000 readers on $name', ({ name, create }) => {
  test(`misses nobody and reaches nobody twice through ${kills} kills`, async () => {
    const database = await create();
    await using smtp = await createSmtpServer();
    const { missed, twice, unsure, states, queueMs, peakMb } = await killWhileSending(database, smtp, {
      readers,
      kills,
    });
    expect({ missed, twice, failed: states.failed }).toEqual({ missed: [], twice: [], failed: 0 });
    expect(unsure.length).toBeLessThanOrEqual(kills * 5);
    expect(states.delivered).toBe(readers - unsure.length);
    await database.remove();
    process.stdout.write(
      `${name}: queued in ${Math.round(queueMs)} ms, ${smtp.mails.length} mails, ${unsure.length} possibly sent, 0 missed, 0 twice, at most ${Math.round(peakMb ?? 0)} MB\n`,
    );
  });
});
