import type { Row } from './row.ts';
import type { ServiceSheet } from './settings.ts';

export type ShapedRow = { method: 'POST' | 'PUT' | 'PATCH'; url: string; body: string };

export function shapeRow(settings: ServiceSheet, row: Row): ShapedRow {
  const { shape, url, isRaw } = settings;
  const post = (body: unknown): ShapedRow => ({ method: 'POST', url, body: JSON.stringify(body) });
  switch (shape.kind) {
    case 'flat':
    case 'script':
      return post(toObject(row));
    case 'wrapped': {
      if (!shape.isList) return post({ [shape.key]: toObject(row) });
      return post({ [shape.key]: [toObject(row)], ...(isRaw ? { mode: 'RAW' } : {}) });
    }
    case 'matrix': {
      const rows = [row.map(([, cell]) => cell)];
      if (shape.key === undefined) return post(rows);
      return { ...post({ [shape.key]: rows }), url: isRaw ? withRawInput(url) : url };
    }
    case 'records':
      return { url, ...shapeRecord(settings, row) };
  }
}

/** Upserting services find the record by our reference. */
function shapeRecord({ shape, columns }: ServiceSheet, row: Row): Omit<ShapedRow, 'url'> {
  const upsert = shape.kind === 'records' ? shape.upsert : undefined;
  const key = columns.find(({ field }) => field === 'reference')?.column;
  const shaped = (method: ShapedRow['method'], body: unknown) => ({ method, body: JSON.stringify(body) });
  if (upsert === 'airtable') {
    const performUpsert = { fieldsToMergeOn: [key] };
    return shaped('PATCH', { performUpsert, records: [{ fields: toObject(row) }] });
  }
  if (upsert === 'grist') {
    const require = toObject(row.filter(([column]) => column === key));
    const fields = toObject(row.filter(([column]) => column !== key));
    return shaped('PUT', { records: [{ require, fields }] });
  }
  return shaped('POST', { records: [{ fields: toObject(row) }] });
}

function toObject(row: Row): Record<string, string> {
  return Object.fromEntries(row);
}

/** Google Sheets; other services ignore the parameter. */
function withRawInput(url: string): string {
  const raw = new URL(url);
  raw.searchParams.set('valueInputOption', 'RAW');
  return raw.href;
}
