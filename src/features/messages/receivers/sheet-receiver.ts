import type { OwnerPayload, OwnerReceiver } from '../payloads.ts';
import { sheetSettings } from '../settings/sheet-settings.ts';
import { type CsvFileDeps, createCsvFileReceiver } from './csv-file.ts';
import type { ReceiverDefinition } from './define-receiver.ts';
import { createSheetServiceReceiver } from './sheet-service.ts';
import type { SheetSettings } from './sheet-settings.ts';
import { sheetType } from './sheet-type.ts';

export const sheet: ReceiverDefinition<OwnerPayload> = {
  ...sheetType,
  toSender: 'our spreadsheet of messages',
  copies: { place: 'Your sheet service', what: 'rows in the sheet service' },
  settings: { Sheet: sheetSettings },
  create({ config: { dataDir }, readSettings, checkDiskSpace }, readDelivered) {
    const messages = () => readDelivered(sheetType.name);
    return createSheetReceiver(readSettings(sheetSettings), { dataDir, checkDiskSpace, messages });
  },
};

export function createSheetReceiver(settings: SheetSettings, deps: CsvFileDeps): OwnerReceiver {
  return settings.kind === 'file' ? createCsvFileReceiver(deps) : createSheetServiceReceiver(settings);
}
