import {
  type Columns,
  defaultColumns,
  type Field,
  fields,
  type SheetAdapter,
  type SheetServiceSettings,
  type SheetSettings,
} from '../../deliveries/sheet/sheet-settings.ts';
import { matching, parseSecureUrl, type SettingsReader } from './settings-reader.ts';

const serviceOnly = [
  'SHEET_SHAPE',
  'SHEET_WRAP',
  'SHEET_UPSERT',
  'SHEET_AUTH',
  'SHEET_FIELDS',
  'SHEET_LOOKUP_URL',
  'SHEET_SUCCESS',
  'SHEET_SUCCESS_BODY',
  'SHEET_RAW',
  'SHEET_RATE',
];

const kinds = ['flat', 'wrapped', 'matrix', 'records', 'script'] as const;
type Kind = (typeof kinds)[number];

const knownHosts: Record<string, Kind> = {
  'script.google.com': 'script',
  'sheets.googleapis.com': 'matrix',
  'api.airtable.com': 'records',
  'sheetdb.io': 'wrapped',
};

export function readSheetSettings(reader: SettingsReader): SheetSettings {
  if (!reader.isSet('SHEET_URL')) {
    for (const name of serviceOnly) {
      const isSet = name === 'SHEET_AUTH' ? reader.isSecretSet(name) : reader.isSet(name);
      if (isSet) reader.addError(`${name} is set, which means nothing without SHEET_URL`);
    }
    return { kind: 'file' };
  }
  const url = reader.read(
    'SHEET_URL',
    'an https address without a password in it (http only for this machine)',
    serviceUrl,
  );
  const service = readService(reader, url);
  return url === undefined ? { kind: 'file' } : { kind: 'service', url, ...service };
}

function readService(reader: SettingsReader, url: string | undefined) {
  const host = url ? new URL(url).hostname : '';
  const known = Object.hasOwn(knownHosts, host) ? knownHosts[host] : undefined;
  const kind = reader.choice('SHEET_SHAPE', known ?? 'flat', kinds);
  if (kind === 'script' && url?.startsWith('http:')) {
    reader.addError('SHEET_SHAPE is script, which needs an https address in SHEET_URL');
  }
  if (known && kind !== known) reader.addError(`SHEET_URL is at ${host}, which needs SHEET_SHAPE=${known}`);
  return {
    adapter: readAdapter(reader, kind),
    columns:
      reader.read('SHEET_FIELDS', 'field=Column pairs, reference among them', columns) ?? defaultColumns,
    auth: reader.secret('SHEET_AUTH', 'one header line such as Authorization: Bearer …', headerLine),
    lookupUrl: readLookup(reader, url) ?? (kind === 'script' ? scriptLookup(url) : undefined),
    success: {
      statuses: reader.read('SHEET_SUCCESS', 'statuses from 200 to 299, such as 200,201', statuses) ?? [200],
      text:
        reader.read('SHEET_SUCCESS_BODY', 'up to 200 characters', upTo200Characters) ??
        (kind === 'script' ? '"stored":true' : undefined),
    },
    isRaw: reader.choice('SHEET_RAW', 'on', ['on', 'off']) === 'on',
    perSecond: reader.number('SHEET_RATE', 1, { min: 1, max: 1000 }),
  };
}

function readAdapter(reader: SettingsReader, kind: Kind): SheetAdapter {
  if (kind !== 'wrapped' && kind !== 'matrix' && reader.isSet('SHEET_WRAP')) {
    reader.addError('SHEET_WRAP is set, which needs SHEET_SHAPE to be wrapped or matrix');
  }
  if (kind !== 'records' && reader.isSet('SHEET_UPSERT')) {
    reader.addError('SHEET_UPSERT is set, which needs SHEET_SHAPE to be records');
  }
  if (kind === 'wrapped') {
    const wrap = reader.read('SHEET_WRAP', 'a key such as sheet1 or data[]', wrapKey) ?? 'data[]';
    return { kind, key: wrap.replace(/\[\]$/, ''), isList: wrap.endsWith('[]') };
  }
  if (kind === 'matrix') {
    const wrap = reader.read('SHEET_WRAP', 'a key such as values, or - for none', matrixKey) ?? 'values';
    return { kind, key: wrap === '-' ? undefined : wrap };
  }
  if (kind === 'records') {
    const upsert = reader.choice('SHEET_UPSERT', undefined, ['airtable', 'grist']);
    return { kind, upsert };
  }
  return { kind };
}

/** The lookup sends the same credential, so it must go to the same host. */
function readLookup(reader: SettingsReader, url: string | undefined): string | undefined {
  const lookup = reader.read(
    'SHEET_LOOKUP_URL',
    'an address like that of SHEET_URL with {reference} in its path or query',
    value => (isLookup(value) ? value : undefined),
  );
  if (lookup && url && URL.parse(lookup)?.origin !== URL.parse(url)?.origin) {
    reader.addError('SHEET_LOOKUP_URL is at another host than SHEET_URL');
  }
  return lookup;
}

/** An address with a secret belongs to deploy/google-sheet.gs, which answers look-ups at the same address. */
function scriptLookup(url: string | undefined): string | undefined {
  if (!url || !new URL(url).searchParams.has('secret')) return undefined;
  return `${url.replace(/#.*/, '')}&reference={reference}`;
}

function isLookup(value: string): boolean {
  const url = URL.parse(value.replaceAll('{reference}', 'R'));
  const other = URL.parse(value.replaceAll('{reference}', 'S'));
  return !!url && !!serviceUrl(value) && url.origin === other?.origin && path(url) !== path(other);
}

function path({ pathname, search }: URL): string {
  return pathname + search;
}

function serviceUrl(value: string): string | undefined {
  return parseSecureUrl(value)?.href;
}

const upTo200Characters = matching(/^.{1,200}$/s);
const wrapKey = matching(/^[^[\]\p{Cc}]{1,100}(\[\])?$/u);
const matrixKey = matching(/^[^[\]\p{Cc}]{1,100}$/u);
const columnName = /^[^\p{Cc}]{1,100}$/u;

function columns(value: string): Columns | undefined {
  const pairs = value.split(',').map(pair => {
    const [name, column, ...more] = pair.split('=').map(part => part.trim());
    const field: Field | undefined = fields.find(one => one === name);
    return field && column && more.length === 0 && columnName.test(column) ? { field, column } : undefined;
  });
  const found = pairs.filter(pair => pair !== undefined);
  const isUnique = (values: string[]) => new Set(values).size === values.length;
  const isWhole =
    found.length === pairs.length &&
    found.some(({ field }) => field === 'reference') &&
    isUnique(found.map(({ field }) => field)) &&
    isUnique(found.map(({ column }) => column));
  return isWhole ? found : undefined;
}

function statuses(value: string): number[] | undefined {
  const found = value.split(',').map(status => status.trim());
  return found.every(status => /^2\d\d$/.test(status)) ? found.map(Number) : undefined;
}

const reserved =
  /^(host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept|origin|proxy-.*)$/i;

function headerLine(line: string): SheetServiceSettings['auth'] {
  const [, name = '', value = ''] =
    /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e][\x20-\x7e]*)$/.exec(line) ?? [];
  return name && value && !reserved.test(name) ? { name, value } : undefined;
}
