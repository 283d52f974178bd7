import type { OwnerReceiver } from '../payloads.ts';
import { type CsvFileDeps, createCsvFileReceiver } from './csv-file.ts';
import { createSheetServiceReceiver } from './sheet-service.ts';
import type { SheetSettings } from './sheet-settings.ts';

export function createSheetReceiver(settings: SheetSettings, deps: CsvFileDeps): OwnerReceiver {
  return settings.kind === 'file' ? createCsvFileReceiver(deps) : createSheetServiceReceiver(settings);
}
