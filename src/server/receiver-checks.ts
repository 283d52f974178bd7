import type { Receiver } from '../deliveries/delivery.ts';
import { type SmtpServer, verifySmtpServer } from '../deliveries/mail/smtp-transport.ts';
import { createSheetServiceReceiver } from '../deliveries/sheet/sheet-service.ts';
import type { SheetServiceSettings } from '../deliveries/sheet/sheet-settings.ts';

/** What npm run setup tries before it saves settings; no database is opened. */
export type ReceiverChecks = {
  verifyMailServer(server: SmtpServer): ReturnType<typeof verifySmtpServer>;
  createSheetReceiver(settings: SheetServiceSettings): Receiver;
};

export const receiverChecks: ReceiverChecks = {
  verifyMailServer: server => verifySmtpServer(server),
  createSheetReceiver: createSheetServiceReceiver,
};
