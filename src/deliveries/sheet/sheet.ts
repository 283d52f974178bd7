import type { FilesDeps, Receiver } from '../delivery.ts';
import { createCsvFile } from './csv-file.ts';
import { createServiceSheet } from './service.ts';
import type { SheetSettings } from './settings.ts';

/** The owner's table of messages: a file in the data folder, or a service. */
export function createSheet(settings: SheetSettings, deps: FilesDeps): Receiver {
  return settings.kind === 'file' ? createCsvFile(deps) : createServiceSheet(settings);
}
