import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type MessageFields, messageFieldNames } from '../../src/features/messages/message-fields.ts';
import { check } from './check-response.ts';
import type { Answer } from './client.ts';
import type { FuzzRequest } from './request-arbitraries.ts';

type Row = MessageFields & { reference: string; received_at: string };

/** What was answered as stored, and what is: read past the server, request by request. */
export type Stored = AsyncDisposable & {
  /** After a request that began at this time: one row with just its words where the answer says so, else none. */
  compare(asked: FuzzRequest, answer: Answer, since: string): Promise<void>;
  /** After noise, of which it is only known that each message needs an answer of its own, but for so many. */
  compareNoise(answers: Answer[], unheard: number, since: string): Promise<void>;
  /** How many messages there are; fails at one more or less than was accounted for. */
  count(): Promise<number>;
};

const columns = 'reference, received_at, name, email, message, service';

export async function openStored(env: Record<string, string>): Promise<Stored> {
  const read = await openReader(env);
  const known = new Map<string, string>();
  const words = new Set<string>();
  let spare = 0;

  function remember({ reference, ...fields }: Row): void {
    known.set(reference, written(fields));
    words.add(written(fields));
  }

  async function readFresh(since: string): Promise<Row[]> {
    const rows = (await read(`select ${columns} from messages where received_at >= '${since}'`)) as Row[];
    const fresh = rows.filter(({ reference }) => !known.has(reference));
    fresh.forEach(remember);
    return fresh;
  }

  return {
    async compareNoise(answers, unheard, since) {
      // What was still under way when we hung up must not be taken for the next one's.
      if (unheard > 0) await new Promise(resolve => setTimeout(resolve, 500));
      spare += Math.max(0, unheard);
      const fresh = await readFresh(since);
      check(
        fresh.length <= answers.filter(isStored).length + Math.max(0, unheard),
        `${fresh.length} messages stored`,
      );
    },
    async compare(asked, answer, since) {
      const fresh = await readFresh(since);
      if (!isStored(answer)) return check(fresh.length === 0, `stored, and answered ${answer.status}`);
      const sent = written(readFields(asked));
      check(fresh.length <= 1, `${fresh.length} messages stored`);
      for (const row of fresh) check(written(row) === sent, `stored as ${written(row)}, sent as ${sent}`);
      if (answer.status === 303) return check(words.has(sent), `not stored: ${sent}`);
      const { reference } = JSON.parse(answer.body) as { reference: string };
      check(known.get(reference) === sent, `${reference} is ${known.get(reference)}, sent was ${sent}`);
      check(
        fresh.every(row => row.reference === reference),
        `another than ${reference} was stored`,
      );
    },
    async count() {
      const [row] = await read('select count(*) as count from messages');
      const count = Number((row as { count: number }).count);
      check(count >= known.size && count <= known.size + spare, `${known.size} answered, ${count} stored`);
      return count;
    },
    [Symbol.asyncDispose]: () => read.close(),
  };
}

function isStored({ status, headers, body }: Answer): boolean {
  return status === 200
    ? body.startsWith('{"reference"')
    : /#(sent|empty)$/.test(headers.get('location') ?? '');
}

/** In a form the ends of lines are written in another way. */
function written(fields: MessageFields): string {
  return JSON.stringify(messageFieldNames.map(name => fields[name].replaceAll('\r\n', '\n')));
}

/** What the request says, read by other means than the server's. */
function readFields({ body, headers }: FuzzRequest): MessageFields {
  const text = Buffer.from(body, 'latin1').toString();
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const found: Record<string, unknown> = /json/i.test(type)
    ? JSON.parse(text.replace(/^\ufeff/, ''))
    : readForm(text);
  return Object.fromEntries(
    messageFieldNames.map(name => [name, Object.hasOwn(found, name) ? String(found[name]) : '']),
  ) as MessageFields;
}

function readForm(text: string): Record<string, string> {
  const plain = (part: string) => decodeURIComponent(part.replaceAll('+', ' ')).toWellFormed();
  const pairs = text.split('&').map(pair => {
    const [name = '', ...value] = pair.split('=');
    return [plain(name), plain(value.join('='))];
  });
  // Of two the first counts.
  return Object.fromEntries(pairs.toReversed());
}

type Reader = ((statement: string) => Promise<object[]>) & { close(): Promise<void> };

/** One connection for all of it: each request is looked up. */
async function openReader(env: Record<string, string>): Promise<Reader> {
  if (env.DATABASE_URL) {
    const client = new pg.Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    return Object.assign(async (statement: string) => (await client.query(statement)).rows as object[], {
      close: () => client.end(),
    });
  }
  const file = new DatabaseSync(join(env.DATA_DIR ?? '', 'wardhouse.sqlite'), {
    timeout: 5000,
    readOnly: true,
  });
  return Object.assign(async (statement: string) => file.prepare(statement).all() as object[], {
    close: async () => file.close(),
  });
}
