import type { Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { becomesTrueWithin } from '../tools.ts';
import { hasNone, makeDue, send, settleAndMeasure } from './every-failure-mode.ts';
import { failingWebhook } from './failing-receivers.ts';

const patienceMs = 120_000;

/** A day without the sheet, hour by hour, with messages all the time; then it is back, without any command of the owner. */
export async function outageOfADay(fixture: Fixture): Promise<Trial> {
  const problems: string[] = [];
  const count = fixture.scale(500, 20);
  const server = await fixture.begin();
  fixture.sheet.script(() => ({ kind: 'reset' }));
  await send(fixture, server.url, count);
  /** The first message of each hour makes the product look at its outbox, as any message does. */
  const passAnHour = async () => {
    await bringForwardByAnHour(fixture);
    await send(fixture, server.url, 1);
    const isQuiet = () => hasNone(fixture, 'sheet', `due_at <= '${new Date().toISOString()}'`);
    if (!(await becomesTrueWithin(patienceMs, isQuiet)))
      problems.push('what was due was not tried within its hour');
  };
  for (let hour = 0; hour < 24; hour += 1) await passAnHour();
  const dead = await fixture.database.query("select 1 from deliveries where state = 'failed'");
  if (dead.length > 0) problems.push(`${dead.length} were given up within a day`);
  const [tried] = await fixture.database.query(
    "select max(attempts) as most from deliveries where receiver = 'sheet'",
  );
  // 5, 15 and 60 s, 5 and 30 min, 2 h, 5 h and 10 h after each other.
  const often = Number(tried?.most);
  if (often > 9) problems.push(`the sheet was tried ${often} times for one message in a day`);
  fixture.sheet.script([]);
  let hours = 0;
  for (; hours < 18 && !(await hasNone(fixture, 'sheet', 'attempts > 0')); hours += 1) await passAnHour();
  if (!(await hasNone(fixture, 'sheet', 'attempts > 0'))) problems.push('some still waited 18 hours later');
  await server.end();
  const notes = [`each tried ${often} times at most within the day, all there ${hours} h after it`];
  const receiver = { env: {}, arrivals: () => [], findWrongs: () => [] };
  return settleAndMeasure(fixture, receiver, { tries: 1, problems, notes });
}

/** In place of the clock: a process whose clock differs from that of PostgreSQL delivers nothing. */
async function bringForwardByAnHour({ database, databaseName }: Fixture): Promise<void> {
  const earlier =
    databaseName === 'SQLite'
      ? "strftime('%Y-%m-%dT%H:%M:%fZ', due_at, '-1 hour')"
      : `to_char((due_at::timestamptz - interval '1 hour') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await database.query(`update deliveries set due_at = ${earlier} where state = 'waiting'`);
}

const perSecond = 50;

/** What failed together must not come back together, and no faster than the sheet was said to bear. */
export async function recoverAfterOutage(fixture: Fixture): Promise<Trial> {
  const problems: string[] = [];
  const count = fixture.scale(500, 20);
  const env = { SHEET_RATE: String(perSecond) };
  const server = await fixture.begin(env);
  fixture.sheet.script(() => ({ kind: 'reset' }));
  await send(fixture, server.url, count);
  await becomesTrueWithin(patienceMs, () => hasNone(fixture, 'sheet', 'attempts = 0'));
  for (const tried of [1, 2, 3]) {
    await makeDue(fixture, `attempts = ${tried}`);
    await becomesTrueWithin(patienceMs, () => hasNone(fixture, 'sheet', `attempts <= ${tried}`));
  }
  // Five minutes after the fourth failure, a fifth more or less: two minutes in which they come.
  const rows = await fixture.database.query(
    "select due_at from deliveries where receiver = 'sheet' and attempts = 4",
  );
  const busiest = busiestShare(
    rows.map(({ due_at }) => Date.parse(String(due_at))),
    10_000,
  );
  // Few of them may well come together by chance.
  if (count >= 100 && busiest > 0.25)
    problems.push(`${percent(busiest)} of what failed was due again within the same 10 s`);
  await server.end();

  const times: number[] = [];
  fixture.sheet.script(() => {
    times.push(performance.now());
    return { kind: 'work' };
  });
  await makeDue(fixture, 'attempts > 0');
  const next = await fixture.begin(env);
  if (!(await becomesTrueWithin(patienceMs, () => hasNone(fixture, 'sheet', 'attempts > 0'))))
    problems.push('what was due was not delivered');
  await next.end();
  const most = Math.round(busiestShare(times, 1000) * times.length);
  // Each begins with a look-up; what was saved up in one second may be used in the next.
  if (most > 2 * 2 * perSecond)
    problems.push(`${most} requests within a second, at ${perSecond} deliveries a second`);
  fixture.sheet.script([]);
  const notes = [
    `${percent(busiest)} due within the same 10 s of 2 min`,
    `${most} requests in the busiest second, at ${perSecond} deliveries a second`,
  ];
  return { tries: 1, problems, notes };
}

/** The largest share of these times that lie within one span. */
function busiestShare(times: number[], spanMs: number): number {
  const inOrder = times.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  for (const [last, time] of inOrder.entries()) {
    while (time - (inOrder[first] as number) > spanMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most / Math.max(1, times.length);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const latestMs = 5000;

/** The sheet takes every connection and answers none; mailbox and webhook get each message as soon as ever. */
export async function oneOfThreeFails(fixture: Fixture): Promise<Trial> {
  const problems: string[] = [];
  const count = fixture.scale(500, 20);
  const webhook = await failingWebhook(fixture);
  const server = await fixture.begin(webhook.env);
  fixture.sheet.script(() => ({ kind: 'hang' }));
  const driver = fixture.drive({ connections: 4, perSecond: 50, address: () => server.url });
  await driver.acknowledgedMore(count);
  await driver.stop();
  for (const name of ['mail', 'webhook']) {
    if (!(await becomesTrueWithin(2 * latestMs, () => hasNone(fixture, name, '1 = 1'))))
      problems.push(`${name} waited for the dead sheet`);
  }
  const rows = await fixture.database.query(
    "select created_at, settled_at from deliveries where receiver <> 'sheet' and state = 'delivered'",
  );
  const late = rows
    .map(row => Date.parse(String(row.settled_at)) - Date.parse(String(row.created_at)))
    .toSorted((one, other) => one - other);
  const worst = late.at(-1) ?? 0;
  if (worst > latestMs) problems.push(`a healthy receiver got a message ${worst} ms after it came`);
  const middle = late[Math.floor(late.length / 2)] ?? 0;
  fixture.sheet.script([]);
  await server.end();
  const notes = [`the healthy ones had each within ${worst} ms, half of them within ${middle} ms`];
  return settleAndMeasure(fixture, webhook, { tries: 1, problems, notes });
}

/** The sheet never accepts some messages: each of the others still arrives as soon as ever, and those are kept. */
export async function refuseSome(fixture: Fixture): Promise<Trial> {
  const problems: string[] = [];
  const count = fixture.scale(500, 20);
  const server = await fixture.begin();
  fixture.sheet.script(({ body }) => {
    const number = Number(/Message number (\d+)/.exec(body)?.[1]);
    if (number % 10 !== 0) return { kind: 'work' };
    return number % 20 === 0
      ? { kind: 'reset' }
      : { kind: 'answer', status: 400, body: 'cannot read this row' };
  });
  const driver = fixture.drive({ connections: 4, perSecond: 50, address: () => server.url });
  await driver.acknowledgedMore(count);
  await driver.stop();
  const isTried = () => hasNone(fixture, 'sheet', 'attempts = 0');
  if (!(await becomesTrueWithin(2 * latestMs, isTried)))
    problems.push('some waited for those that were refused');
  const kept = await fixture.database.query(
    "select reference from deliveries where receiver = 'sheet' and state <> 'delivered'",
  );
  const delivered = await fixture.database.query(
    "select created_at, settled_at from deliveries where receiver = 'sheet' and state = 'delivered'",
  );
  const worst = Math.max(
    ...delivered.map(row => Date.parse(String(row.settled_at)) - Date.parse(String(row.created_at))),
  );
  if (worst > latestMs) problems.push(`a message that the sheet accepts arrived ${worst} ms after it came`);
  if (kept.length === 0) problems.push('nothing was refused');
  fixture.sheet.script([]);
  await server.end();
  const notes = [`${kept.length} refused and kept, the other ${delivered.length} there within ${worst} ms`];
  const receiver = { env: {}, arrivals: () => [], findWrongs: () => [] };
  return settleAndMeasure(fixture, receiver, { tries: 1, problems, notes });
}
