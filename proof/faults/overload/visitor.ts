import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds of each visit. */
export type Visits = { ms: number[]; failed: number };

/** A process of its own, which the load generator does not delay: opens a page again and again, each over a new connection. */
const [, , page = ''] = process.argv;
const everyMs = 50;
const patienceMs = 10_000;
let visits: Visits = { ms: [], failed: 0 };

/** What was found since the last question. */
process.on('message', () => {
  process.send?.(visits);
  visits = { ms: [], failed: 0 };
});
process.once('disconnect', () => process.exit());

for (;;) {
  const started = performance.now();
  if (await isShown()) visits.ms.push(performance.now() - started);
  else visits.failed += 1;
  await wait(everyMs);
}

function isShown(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = get(page, { agent: false, timeout: patienceMs }, async answer => {
    const shown = await text(answer).catch(() => '');
    resolve(answer.statusCode === 200 && shown.includes('</html>'));
  });
  asked.once('timeout', () => asked.destroy());
  asked.once('error', () => resolve(false));
  return promise;
}
