import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { releaseMessage } from '../domain/messages/release-message.ts';
import { configOrExit } from '../server/config.ts';
import { createProcessLog, type Wired, wire } from '../server/wire.ts';
import { complain, explainStore } from './complain.ts';
import { fail, note, print, readLimit } from './say.ts';
import { printTable } from './table.ts';

const usage = `npm run inbox -- VERB

  list [--state NAME]                  messages, newest first; NAME is new, empty, quarantined or spam
  deliveries [--dead | --waiting]      every delivery, newest first; those given up; those on their way
  retry REFERENCE | --dead | --waiting send again what was given up, or what waits after a failure, at once
  release REFERENCE …                  let messages out of quarantine, and on their way

  --to NAME    only to this receiver: sheet, mail or webhook (deliveries, retry)
  --limit N    how many lines at most (list, deliveries; 100 unless said)
  --json       print JSON
  --help       print this
`;

/** Letters to readers of the newsletter are no messages; `npm run newsletter` tells of them. */
const receivers = ['sheet', 'mail', 'webhook'];

const { values, positionals } = readArguments();
const [verb, ...given] = positionals;
/** As it was read out on the phone. */
const references = given.map(one => one.toUpperCase());
const [reference, ...rest] = references;
const verbs: Record<string, (wired: Wired) => Promise<void>> = { list, deliveries, retry, release };

if (values.help || !verb || verb === 'help') {
  process.stdout.write(usage);
  process.exit(values.help || verb ? 0 : 2);
}
const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
if (!run) refuse(`There is no '${verb}'.`);
if (values.to && !receivers.includes(values.to)) refuse(`There is no receiver '${values.to}'.`);
if (rest.length > 0 && verb !== 'release') refuse(`'${rest.join(' ')}' was not expected.`);

const config = configOrExit();
const file = join(config.dataDir, 'wardhouse.sqlite');
if (!config.databaseUrl && !existsSync(file))
  complain(`There is no database at ${file} that can be read: is DATA_DIR right?`);
const quiet = createProcessLog({ ...config, logLevel: 'error' });
const wired = await wire(config, { log: quiet }).catch(error => complain(explainStore(error, config)));
await run(wired);
await wired[Symbol.asyncDispose]();

async function list({ store: { messages } }: Wired): Promise<void> {
  if (reference) refuse('list takes no reference.');
  const state = (['new', 'empty', 'quarantined', 'spam'] as const).find(name => name === values.state);
  if (values.state && !state) refuse(`There is no state '${values.state}'.`);
  const limit = readLimit(values.limit, refuse);
  const [found, total] = await Promise.all([messages.list(state, limit), messages.count(state)]);
  if (values.json) return print({ total, messages: found.map(({ idempotency_key: _, ...shown }) => shown) });
  printTable(
    ['reference', 'received', 'state', 'name', 'e-mail', 'service', 'message'],
    found.map(row => [
      row.reference,
      row.received_at,
      row.quarantine_reason ? `${row.state} (${row.quarantine_reason})` : row.state,
      row.name,
      row.email,
      row.service,
      row.message,
    ]),
  );
  if (total > found.length) note(`${found.length} of ${total} are shown.`);
  if (total === 0) note('There is nothing to show.');
}

async function deliveries({ store: { outbox } }: Wired): Promise<void> {
  if (reference) refuse('deliveries takes no reference.');
  if (values.dead && values.waiting) refuse('Choose --dead or --waiting.');
  const limit = readLimit(values.limit, refuse);
  const states = values.dead
    ? (['dead'] as const)
    : values.waiting
      ? (['waiting', 'sending'] as const)
      : undefined;
  const filter = { ...(states && { states }), receivers: values.to ? [values.to] : receivers };
  const [found, total, paused] = await Promise.all([
    outbox.list(filter, limit),
    outbox.count(filter),
    listPaused(outbox),
  ]);
  if (values.json)
    return print({ total, paused, deliveries: found.map(({ lease: _, payload: __, ...shown }) => shown) });
  printTable(
    ['reference', 'receiver', 'state', 'attempts', 'due', 'possibly twice', 'last failure'],
    found.map(row => [
      row.reference,
      row.receiver,
      row.state,
      String(row.attempts),
      row.state === 'waiting' ? row.due_at : '',
      row.is_possibly_twice ? 'yes' : '',
      row.last_failure,
    ]),
  );
  for (const { name, paused_at, paused_why } of paused)
    note(`The ${name} has been paused since ${paused_at}: ${paused_why}.`);
  if (total > found.length) note(`${found.length} of ${total} are shown.`);
  if (total === 0) note(values.dead ? 'None was given up.' : 'There is nothing to show.');
}

async function retry({ store: { outbox }, clock }: Wired): Promise<void> {
  const asked = [Boolean(reference), values.dead, values.waiting].filter(Boolean).length;
  if (asked !== 1) refuse('retry takes a reference, or --dead, or --waiting.');
  const states = reference
    ? (['dead', 'waiting'] as const)
    : values.dead
      ? (['dead'] as const)
      : (['waiting'] as const);
  const filter = { states, ...(values.to && { receiver: values.to }), ...(reference && { reference }) };
  const count = await outbox.replay(filter, clock.now().toISOString());
  const isMeant = ({ name }: { name: string }) => !reference && (!values.to || name === values.to);
  const paused = (await listPaused(outbox)).filter(isMeant);
  for (const { name } of paused) await outbox.resume(name);
  if (values.json) return print({ retried: count, resumed: paused.map(({ name }) => name) });
  for (const { name } of paused) note(`The ${name} was paused; it is no longer.`);
  if (count > 0)
    note(
      `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} due now, for the server that runs or starts next.`,
    );
  else if (reference) fail(`Nothing of ${reference} waits or was given up.`);
  else note(values.dead ? 'None was given up.' : 'Nothing waits.');
}

async function release(parts: Wired): Promise<void> {
  if (!reference) refuse('release takes a reference.');
  const receivers = parts.receivers.map(({ name }) => name);
  const deps = { messages: parts.store.messages, clock: parts.clock, receivers };
  const released: string[] = [];
  for (const one of references) {
    const result = await releaseMessage(deps, one);
    if (result.kind === 'released') released.push(one);
    else if (result.kind === 'unknown') fail(`There is no message ${one}.`);
    else fail(`${one} is not in quarantine: it is ${result.state}.`);
  }
  if (values.json) print({ released });
  else for (const one of released) note(`${one} is out of quarantine and on its way.`);
}

async function listPaused(outbox: Wired['store']['outbox']) {
  return (await outbox.listPaused()).filter(({ name }) => receivers.includes(name));
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        dead: { type: 'boolean', default: false },
        waiting: { type: 'boolean', default: false },
        state: { type: 'string' },
        to: { type: 'string' },
        limit: { type: 'string', default: '100' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return refuse((error as Error).message.split('.')[0] ?? '');
  }
}

function refuse(line: string): never {
  process.stderr.write(`${line}\n\n${usage}`);
  process.exit(2);
}
