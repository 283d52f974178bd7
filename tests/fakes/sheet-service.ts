import { createHttpService, type HttpService, type ReceivedRequest, type Reply } from './http-service.ts';

type StoredRow = Record<string, string>;

export type SheetService = HttpService & { rows: StoredRow[] };

const columns = ['Received', 'Name', 'Email', 'Service', 'Message', 'Reference'];

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, OPTIONS',
  'access-control-allow-headers': 'content-type, idempotency-key, authorization, x-api-key',
};

/**
 * A sheet service of every kind in one: it accepts a row at any path in any of the five formats, upserts like Airtable
 * (PATCH) and Grist (PUT), and redirects like a script (POST /script). GET /rows/{reference} is a lookup (404 without
 * a row), GET /rows?Column=value a search (or an empty list), and GET / shows all rows.
 */
export async function createSheetService(): Promise<SheetService> {
  const rows: StoredRow[] = [];

  function work(seen: ReceivedRequest): Reply {
    const { pathname, searchParams } = seen.url;
    if (seen.method === 'OPTIONS') return { status: 204 };
    if (seen.method === 'GET') {
      if (pathname === '/') return { status: 200, body: JSON.stringify(rows, undefined, 2) };
      if (pathname === '/script/answer') return json(200, { stored: true });
      if (pathname === '/script') return toScriptAnswer(seen);
      if (pathname === '/rows')
        return json(
          200,
          rows.filter(row => matches(row, searchParams)),
        );
      const found = rows.find(row => `/rows/${row.Reference}` === decodeURIComponent(pathname));
      return found ? json(200, found) : json(404, { error: 'no such row' });
    }
    const body = parse(seen.body);
    if (body === undefined) return json(400, { error: 'not JSON' });
    if (seen.method === 'PATCH' || seen.method === 'PUT') return upsert(rows, body);
    rows.push(...readRows(body));
    if (pathname === '/script') return toScriptAnswer(seen);
    return json(200, { created: 1 });
  }

  const service = await createHttpService(work, cors);
  return Object.assign(service, { rows });
}

function json(status: number, body: unknown): Reply {
  return { status, body: JSON.stringify(body) };
}

function toScriptAnswer({ url }: ReceivedRequest): Reply {
  return { status: 302, headers: { location: `${url.origin}/script/answer?user_content_key=1` } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whichever of the five shapes it is: what an object holds in its one list or object are the rows. */
function readRows(body: unknown): StoredRow[] {
  if (Array.isArray(body)) return body.flatMap(readRows).concat(readValues(body));
  if (!isObject(body)) return [];
  const inside = Object.values(body).filter(value => typeof value === 'object');
  return inside.length > 0 ? inside.flatMap(readRows) : [body as StoredRow];
}

function readValues(list: unknown[]): StoredRow[] {
  if (list.length === 0 || !list.every(value => typeof value === 'string')) return [];
  return [Object.fromEntries(list.map((value, index) => [columns[index] ?? `Column ${index + 1}`, value]))];
}

type Upsert = {
  performUpsert?: { fieldsToMergeOn: string[] };
  records: { fields: StoredRow; require?: StoredRow }[];
};

function upsert(rows: StoredRow[], body: unknown): Reply {
  const { performUpsert, records } = body as Upsert;
  for (const { fields, require } of records) {
    const row = { ...require, ...fields };
    const keys = performUpsert?.fieldsToMergeOn ?? Object.keys(require ?? {});
    const found = rows.find(one => keys.every(name => one[name] === row[name]));
    if (found) Object.assign(found, row);
    else rows.push(row);
  }
  return json(200, { records: records.map((_, index) => ({ id: index + 1 })) });
}

function matches(row: StoredRow, wanted: URLSearchParams): boolean {
  return [...wanted].every(([column, value]) => row[column] === value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
