import type { DatabaseName, Family } from '../family.ts';
import { tryEveryFailureMode } from '../receivers/every-failure-mode.ts';
import { failingMail, failingSheet, failingWebhook } from '../receivers/failing-receivers.ts';
import { mailFailures, sheetFailures, webhookFailures } from '../receivers/failure-modes.ts';
import { oneOfThreeFails, outageOfADay, recoverAfterOutage, refuseSome } from '../receivers/outages.ts';

const databases: DatabaseName[] = ['SQLite', 'PostgreSQL'];

/** Receivers that fail: for a moment, for a day, or while others work. */
export const receivers: Family = {
  name: 'receivers',
  faults: [
    {
      ...{ name: 'sheet fails in every way', databases, shortDatabases: ['SQLite'] },
      run: fixture => tryEveryFailureMode(fixture, failingSheet(fixture), sheetFailures),
    },
    {
      ...{ name: 'mailbox fails in every way', databases, isLongOnly: true },
      run: async fixture => tryEveryFailureMode(fixture, await failingMail(fixture), mailFailures),
    },
    {
      ...{ name: 'webhook fails in every way', databases, isLongOnly: true },
      run: async fixture => tryEveryFailureMode(fixture, await failingWebhook(fixture), webhookFailures),
    },
    { name: 'sheet away for a day', databases, isLongOnly: true, run: outageOfADay },
    { name: 'sheet comes back', databases, isLongOnly: true, run: recoverAfterOutage },
    { name: 'one dead beside two', databases, isLongOnly: true, run: oneOfThreeFails },
    { name: 'sheet refuses some messages each time', databases, isLongOnly: true, run: refuseSome },
  ],
};
