import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Acknowledgement } from '../acknowledgements.ts';
import type { Family, Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { createDiskModel } from '../power/disk-model.ts';
import { type FileEvent, parseRecord, recorded } from '../power/record.ts';
import { assertStrace } from '../tools.ts';

/** What would be left on the disk if the power had gone at some moment: found in what strace saw of one run. */
export const powerCut: Family = {
  name: 'power cut',
  faults: [{ name: 'at random fsyncs', databases: ['SQLite'], run: cutPower }],
};

async function cutPower(fixture: Fixture): Promise<Trial> {
  assertStrace();
  const { dataDir } = fixture.database;
  // The product makes it, and has to keep that, too.
  rmSync(dataDir, { recursive: true });
  const events = await record(fixture);
  const acknowledged = await fixture.readAcknowledged();
  const cuts = chooseCuts(events, fixture);
  const lost: string[] = [];
  const problems: string[] = [];
  const model = createDiskModel(dirname(dataDir));
  for (const [index, event] of events.entries()) {
    model.apply(event);
    if (!cuts.has(index)) continue;
    const folder = mkdtempSync(join(tmpdir(), 'wardhouse-cut-'));
    for (const [path, bytes] of model.cut(fixture.random)) {
      const place = join(folder, relative(dataDir, path));
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytes);
    }
    const promised = acknowledged.filter(({ at }) => at <= event.at);
    const found = lookInto(folder, promised);
    lost.push(...found.lost.map(one => `${one} (cut after event ${index} of ${events.length})`));
    problems.push(...found.problems.map(one => `${one} (cut after event ${index} of ${events.length})`));
    rmSync(folder, { recursive: true, force: true });
  }
  const syncs = events.filter(({ kind }) => kind === 'sync').length;
  return { tries: cuts.size, lost, problems, notes: [`${events.length} changes of files, ${syncs} fsyncs`] };
}

/** Two processes after each other: one that is killed, and one that ends and closes its files. */
async function record(fixture: Fixture): Promise<FileEvent[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-trace-'));
  const events: FileEvent[] = [];
  let address: string | undefined;
  const driver = fixture.drive({ connections: 16, address: () => address });
  for (const [process, signal] of (['SIGKILL', 'SIGTERM'] as const).entries()) {
    const trace = join(folder, String(process));
    const server = fixture.start({}, { prefix: recorded(trace) });
    address = await server.address();
    await driver.acknowledgedMore(fixture.scale(2500, 60));
    await wait(fixture.random.next() * 200);
    server.child.kill(signal);
    await server.ended;
    address = undefined;
    const text = readFileSync(trace, 'latin1');
    events.push(...parseRecord(text, fixture.database.dataDir, { process, before: events.length }));
  }
  await driver.stop();
  rmSync(folder, { recursive: true, force: true });
  return events;
}

/** Right after an fsync, or a few changes later. Before the first message there is nothing to lose. */
function chooseCuts(events: FileEvent[], { random, scale }: Fixture): Set<number> {
  const syncs = [...events.entries()].filter(([, { kind }]) => kind === 'sync').map(([index]) => index);
  const cuts = new Set<number>();
  const wanted = Math.min(scale(300, 40), syncs.length);
  while (cuts.size < wanted) {
    const later = random.chance(0.5) ? random.between(1, 30) : 0;
    cuts.add(Math.min(random.pick(syncs) + later, events.length - 1));
  }
  return cuts;
}

/** The database opens, is whole and holds what was promised; what it calls delivered is there. */
function lookInto(folder: string, promised: Acknowledgement[]): { lost: string[]; problems: string[] } {
  const path = join(folder, 'wardhouse.sqlite');
  if (!existsSync(path))
    return { lost: promised.map(({ number }) => `${number}: no database`), problems: [] };
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path);
    const whole = file.prepare('PRAGMA integrity_check').get()?.integrity_check;
    const rows = promised.length > 0 ? readDeliveries(file) : new Map();
    const lost = promised
      .filter(({ reference }) => rows.get(reference)?.length !== 2)
      .map(({ number, reference }) => `${number}: acknowledged as ${reference}, not on the disk`);
    const missing = [...rows.values()]
      .flat()
      .filter(({ file: name, isDelivered }) => isDelivered && name && !existsSync(join(folder, name)))
      .map(({ file: name }) => `${name} counts as delivered and is not on the disk`);
    return { lost, problems: whole === 'ok' ? missing : [...missing, `damaged: ${whole}`] };
  } catch (error) {
    return { lost: [], problems: [`the database does not open: ${error}`] };
  } finally {
    file?.close();
  }
}

type Row = { isDelivered: boolean; file: string | undefined };

function readDeliveries(file: DatabaseSync): Map<string, Row[]> {
  const rows = file
    .prepare(
      `select messages.reference, messages.received_at, receiver, deliveries.state from messages
       join deliveries on deliveries.reference = messages.reference`,
    )
    .all() as { reference: string; received_at: string; receiver: string; state: string }[];
  const found = new Map<string, Row[]>();
  for (const { reference, received_at, receiver, state } of rows) {
    const name = `mail/${received_at.slice(0, 19).replaceAll(':', '')}-${encodeURIComponent(reference)}.eml`;
    const row = { isDelivered: state === 'delivered', file: receiver === 'mail' ? name : undefined };
    found.set(reference, [...(found.get(reference) ?? []), row]);
  }
  return found;
}
