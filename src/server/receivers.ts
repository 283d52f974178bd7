import type { Receiver } from '../deliveries/delivery.ts';
import type { DiskFloor } from '../deliveries/disk-floor.ts';
import { createMail } from '../deliveries/mail.ts';
import { createSheet } from '../deliveries/sheet/sheet.ts';
import { createWebhook } from '../deliveries/webhook.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from './config.ts';

/** Everyone a message is passed to, as the settings have it. */
export function createReceivers(
  { dataDir, sheet, mail, webhook }: Config,
  { clock, lowSpace }: { clock: Clock; lowSpace: DiskFloor },
): Receiver[] {
  return [
    createSheet(sheet, { dataDir, lowSpace }),
    createMail(mail, { dataDir, lowSpace }),
    ...(webhook ? [createWebhook(webhook, { clock })] : []),
  ];
}
