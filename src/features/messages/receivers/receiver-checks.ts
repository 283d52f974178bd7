import { type SmtpServer, verifySmtpServer } from '../../../core/mail/smtp-transport.ts';
import type { OwnerReceiver } from '../payloads.ts';
import { createSheetServiceReceiver } from './sheet-service.ts';
import type { SheetServiceSettings } from './sheet-settings.ts';

/** What npm run setup tries before it saves settings; no database is opened. */
export type ReceiverChecks = {
  verifyMailServer(server: SmtpServer): ReturnType<typeof verifySmtpServer>;
  createSheetReceiver(settings: SheetServiceSettings): OwnerReceiver;
};

export const receiverChecks: ReceiverChecks = {
  verifyMailServer: server => verifySmtpServer(server),
  createSheetReceiver: createSheetServiceReceiver,
};
