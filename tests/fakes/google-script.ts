import { runInNewContext } from 'node:vm';
import { createSheetServiceReceiver } from '../../src/features/messages/receivers/sheet-service.ts';
import type { SheetServiceSettings } from '../../src/features/messages/receivers/sheet-settings.ts';
import { createHttpService, type HttpService } from './http-service.ts';

export type GoogleScript = HttpService & {
  /** What a reader of the sheet sees: a text that Google would calculate is shown as `formula: …`. */
  cells: string[][];
};

type Event = { parameter: Record<string, string>; postData?: { contents: string } };
type Script = Record<'doPost' | 'doGet', (event: Event) => { text: string }>;

/**
 * Runs the text of an Apps Script as Google does: the script answers with a redirect to the place where its output is read
 * (/answer/N), and its status is 200 whatever it did.
 */
export async function createGoogleScript(text: string): Promise<GoogleScript> {
  const { cells, sheet } = createSheet();
  const outputs: string[] = [];
  const globals = {
    SpreadsheetApp: { getActiveSpreadsheet: () => ({ getSheets: () => [sheet] }), flush: () => undefined },
    LockService: { getScriptLock: () => ({ waitLock: () => undefined, releaseLock: () => undefined }) },
    ContentService: {
      MimeType: { JSON: 'application/json' },
      createTextOutput: (output: string) => ({ setMimeType: () => ({ text: output }) }),
    },
  };
  const script: Script = runInNewContext(`${text}\n;({ doPost, doGet })`, globals);
  const service = await createHttpService(({ method, url, body }) => {
    const [, number] = /^\/answer\/(\d+)$/.exec(url.pathname) ?? [];
    if (number) return { status: 200, body: outputs[Number(number)] ?? '' };
    const parameter = Object.fromEntries(url.searchParams);
    const output =
      method === 'POST'
        ? script.doPost({ parameter, postData: { contents: body } })
        : script.doGet({ parameter });
    outputs.push(output.text);
    return { status: 302, headers: { location: `${url.origin}/answer/${outputs.length - 1}` } };
  });
  return Object.assign(service, { cells });
}

/** The receiver for a script at Google, with the fake in Google's place. */
export function createReceiverAt(
  { origin }: HttpService,
  { url, lookupUrl = '', ...rest }: SheetServiceSettings,
) {
  const atFake = (address: string) => address.replace('https://script.google.com', origin);
  const addresses = { url: atFake(url), lookupUrl: atFake(lookupUrl), scriptOrigin: origin };
  return createSheetServiceReceiver({ ...rest, ...addresses });
}

/** The few methods of Google's Sheet and Range that the script calls. Rows and columns count from 1. */
function createSheet() {
  const cells: string[][] = [];
  const texts = new Set<string>();
  const lastColumn = () => Math.max(0, ...cells.map(row => row.length));

  function getRange(row: number, column: number, rows: number, columns: number) {
    const read = () =>
      Array.from({ length: rows }, (_, down) =>
        Array.from({ length: columns }, (_, right) => cells[row - 1 + down]?.[column - 1 + right] ?? ''),
      );
    return {
      getValues: read,
      setNumberFormat(format: string) {
        if (format !== '@') return;
        for (let right = 0; right < columns; right++) texts.add(`${row},${column + right}`);
      },
      /** The script sets one row at a time. */
      setValues([values = []]: string[][]) {
        const line = cells[row - 1] ?? [];
        cells[row - 1] = line;
        values.forEach((value, right) => {
          const isFormula = value.startsWith('=') && !texts.has(`${row},${column + right}`);
          line[column - 1 + right] = isFormula ? `formula: ${value}` : value;
        });
      },
      createTextFinder: (wanted: string) => ({
        matchEntireCell: () => ({ findNext: () => (read().flat().includes(wanted) ? {} : null) }),
      }),
    };
  }
  return { cells, sheet: { getRange, getLastRow: () => cells.length, getLastColumn: lastColumn } };
}
