import type { Receiver } from '../delivery.ts';
import { type CsvFileDeps, createCsvFile } from './csv-file.ts';
import { createServiceSheet } from './service.ts';
import type { SheetSettings } from './settings.ts';

export function createSheet(settings: SheetSettings, deps: CsvFileDeps): Receiver {
  return settings.kind === 'file' ? createCsvFile(deps) : createServiceSheet(settings);
}
