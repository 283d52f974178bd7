import type { Receiver } from '../../../core/outbox/delivery.ts';
import { type CsvFileDeps, createCsvFileReceiver } from './csv-file.ts';
import { createSheetServiceReceiver } from './sheet-service.ts';
import type { SheetSettings } from './sheet-settings.ts';

export function createSheetReceiver(settings: SheetSettings, deps: CsvFileDeps): Receiver {
  return settings.kind === 'file' ? createCsvFileReceiver(deps) : createSheetServiceReceiver(settings);
}
