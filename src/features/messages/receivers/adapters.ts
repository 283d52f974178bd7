import type { Row } from './sheet-row.ts';
import type { SheetServiceSettings } from './sheet-settings.ts';

export type AdaptedRow = { method: 'POST' | 'PUT' | 'PATCH'; url: string; body: string };

export function adaptRow(settings: SheetServiceSettings, row: Row): AdaptedRow {
  const { adapter, url, isRaw } = settings;
  const post = (body: unknown): AdaptedRow => ({ method: 'POST', url, body: JSON.stringify(body) });
  switch (adapter.kind) {
    case 'flat':
    case 'script':
      return post(toObject(row));
    case 'wrapped': {
      if (!adapter.isList) return post({ [adapter.key]: toObject(row) });
      return post({ [adapter.key]: [toObject(row)], ...(isRaw ? { mode: 'RAW' } : {}) });
    }
    case 'matrix': {
      const rows = [row.map(([, cell]) => cell)];
      if (adapter.key === undefined) return post(rows);
      return { ...post({ [adapter.key]: rows }), url: isRaw ? withRawInput(url) : url };
    }
    case 'records':
      return { url, ...adaptRecord(settings, row) };
  }
}

function adaptRecord({ adapter, columns }: SheetServiceSettings, row: Row): Omit<AdaptedRow, 'url'> {
  const upsert = adapter.kind === 'records' ? adapter.upsert : undefined;
  const key = columns.find(({ field }) => field === 'reference')?.column;
  const shaped = (method: AdaptedRow['method'], body: unknown) => ({ method, body: JSON.stringify(body) });
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

function withRawInput(url: string): string {
  const raw = new URL(url);
  raw.searchParams.set('valueInputOption', 'RAW');
  return raw.href;
}
