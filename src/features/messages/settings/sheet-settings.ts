import { defineSettings } from '../../../core/settings/define-settings.ts';
import {
  choice,
  matching,
  onOff,
  parsedBy,
  parseSecureUrl,
  wholeNumber,
} from '../../../core/settings/schemas.ts';
import {
  type Columns,
  defaultColumns,
  type Field,
  fields,
  type SheetAdapter,
  type SheetServiceSettings,
  type SheetSettings,
} from '../receivers/sheet-settings.ts';

const needs = 'SHEET_URL';

const knownHosts = new Map<string, SheetAdapter['kind']>([
  ['script.google.com', 'script'],
  ['sheets.googleapis.com', 'matrix'],
  ['api.airtable.com', 'records'],
  ['sheetdb.io', 'wrapped'],
]);

export const sheetSettings = defineSettings(
  {
    SHEET_URL: {
      schema: parsedBy(
        parseServiceUrl,
        'an https address without a password in it (http only for this machine)',
      ),
      about: `The https URL of a sheet service (docs/engineer/sheets.md), or of a Google Sheet
        (docs/owner/google-sheet.md). Unset: rows go to data/messages.csv on the machine that delivers.`,
    },
    SHEET_SHAPE: {
      schema: choice('flat', 'wrapped', 'matrix', 'records', 'script'),
      needs,
      about: `Request format of the service: flat (the default, except at hosts that are known to need another),
        wrapped, matrix, records or script.`,
    },
    SHEET_WRAP: {
      schema: matching(
        /^[^[\]\p{Cc}]{1,100}(\[\])?$/u,
        'a key such as sheet1, values or data[], or - for none',
      ),
      needs,
      about: `The key around a row: data[] for wrapped (a list; without [] an object), values for matrix (- for
        none).`,
    },
    SHEET_UPSERT: {
      schema: choice('airtable', 'grist'),
      needs,
      about: 'airtable or grist, with records: a retry replaces the row with the same reference.',
    },
    SHEET_AUTH: {
      secret: parsedBy(parseHeaderLine, 'one header line such as Authorization: Bearer …'),
      needs,
      about: 'One header line for authentication: Authorization: Bearer … or X-Api-Key: …',
    },
    SHEET_FIELDS: {
      schema: parsedBy(parseColumns, 'field=Column pairs, reference among them'),
      needs,
      about: `Which field goes into which column; the default is
        ${defaultColumns.map(({ field, column }) => `${field}=${column}`).join(',')}`,
    },
    SHEET_LOOKUP_URL: {
      schema: parsedBy(
        value => (isLookup(value) ? value : undefined),
        'an address like that of SHEET_URL with {reference} in its path or query',
      ),
      needs,
      about: 'URL to look up a row before a retry, with {reference} in it.',
    },
    SHEET_SUCCESS: {
      schema: parsedBy(parseStatuses, 'statuses from 200 to 299, such as 200,201'),
      default: '200',
      needs,
      about: 'Status codes that mean success.',
    },
    SHEET_SUCCESS_BODY: {
      schema: matching(/^.{1,200}$/s, 'up to 200 characters'),
      needs,
      about: 'Text that the response must contain, too.',
    },
    SHEET_RAW: {
      schema: onOff,
      default: 'on',
      needs,
      about: 'on asks the service not to interpret cells as numbers, dates and formulas; off lets it.',
    },
    SHEET_RATE: {
      schema: wholeNumber({ min: 1, max: 1000 }),
      default: '1',
      needs,
      about:
        'Maximum rows a second. This and the other rates hold for all processes on one database together.',
    },
  },
  (values, { isSet, addError }): SheetSettings => {
    const { SHEET_URL: url, SHEET_WRAP: wrap } = values;
    if (url === undefined) return { kind: 'file' };
    const { hostname, origin } = new URL(url);
    const known = knownHosts.get(hostname);
    const kind = values.SHEET_SHAPE ?? known ?? 'flat';
    const isScript = kind === 'script';
    if (isScript && url.startsWith('http:'))
      addError('SHEET_URL', 'SHEET_SHAPE is script, which needs an https address in SHEET_URL');
    if (known && kind !== known)
      addError('SHEET_URL', `SHEET_URL is at ${hostname}, which needs SHEET_SHAPE=${known}`);
    if (isSet('SHEET_WRAP') && kind !== 'wrapped' && (kind !== 'matrix' || wrap?.endsWith('[]')))
      addError(
        'SHEET_WRAP',
        'SHEET_WRAP is set, which needs SHEET_SHAPE to be wrapped, or matrix without []',
      );
    if (isSet('SHEET_UPSERT') && kind !== 'records')
      addError('SHEET_UPSERT', 'SHEET_UPSERT is set, which needs SHEET_SHAPE to be records');
    // The lookup sends the same credential.
    const { SHEET_LOOKUP_URL: lookupUrl = isScript ? scriptLookup(url) : undefined } = values;
    if (lookupUrl && URL.parse(lookupUrl)?.origin !== origin)
      addError('SHEET_LOOKUP_URL', 'SHEET_LOOKUP_URL is at another host than SHEET_URL');
    return {
      kind: 'service',
      url,
      adapter: createAdapter(kind, wrap, values.SHEET_UPSERT),
      columns: values.SHEET_FIELDS ?? defaultColumns,
      auth: values.SHEET_AUTH,
      lookupUrl,
      success: {
        statuses: values.SHEET_SUCCESS,
        text: values.SHEET_SUCCESS_BODY ?? (isScript ? '"stored":true' : undefined),
      },
      isRaw: values.SHEET_RAW,
      perSecond: values.SHEET_RATE,
    };
  },
);

function createAdapter(
  kind: SheetAdapter['kind'],
  wrap: string | undefined,
  upsert: 'airtable' | 'grist' | undefined,
): SheetAdapter {
  if (kind === 'wrapped') {
    const key = wrap ?? 'data[]';
    return { kind, key: key.replace(/\[\]$/, ''), isList: key.endsWith('[]') };
  }
  if (kind === 'matrix') return { kind, key: wrap === '-' ? undefined : (wrap ?? 'values') };
  return kind === 'records' ? { kind, upsert } : { kind };
}

/** An address with a secret belongs to deploy/google-sheet.gs, which answers look-ups at the same address. */
function scriptLookup(url: string): string | undefined {
  if (!new URL(url).searchParams.has('secret')) return undefined;
  return `${url.replace(/#.*/, '')}&reference={reference}`;
}

function isLookup(value: string): boolean {
  const url = URL.parse(value.replaceAll('{reference}', 'R'));
  const other = URL.parse(value.replaceAll('{reference}', 'S'));
  return !!url && !!parseServiceUrl(value) && url.origin === other?.origin && path(url) !== path(other);
}

function path({ pathname, search }: URL): string {
  return pathname + search;
}

function parseServiceUrl(value: string): string | undefined {
  return parseSecureUrl(value)?.href;
}

const columnName = /^[^\p{Cc}]{1,100}$/u;

function parseColumns(value: string): Columns | undefined {
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

function parseStatuses(value: string): number[] | undefined {
  const statuses = value.split(',').map(status => status.trim());
  return statuses.every(status => /^2\d\d$/.test(status)) ? statuses.map(Number) : undefined;
}

const reserved =
  /^(host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept|origin|proxy-.*)$/i;

function parseHeaderLine(line: string): SheetServiceSettings['auth'] {
  const [, name = '', value = ''] =
    /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x21-\x7e][\x20-\x7e]*)$/.exec(line) ?? [];
  return name && value && !reserved.test(name) ? { name, value } : undefined;
}
