import type { DatabaseName, Family } from '../family.ts';
import { failEveryWay } from '../receivers/fail-every-way.ts';
import { failingMail, failingSheet, failingWebhook } from '../receivers/failing-receivers.ts';
import { comeBack, keepTwoOfThree, missADay } from '../receivers/outages.ts';
import { mailWays, sheetWays, webhookWays } from '../receivers/ways.ts';

const databases: DatabaseName[] = ['SQLite', 'PostgreSQL'];

/** Whoever is told of messages, and cannot be: for a moment, for a day, or beside others who can. */
export const receivers: Family = {
  name: 'receivers',
  faults: [
    {
      ...{ name: 'sheet fails in every way', databases, shortDatabases: ['SQLite'] },
      run: ground => failEveryWay(ground, failingSheet(ground), sheetWays),
    },
    {
      ...{ name: 'mailbox fails in every way', databases, isLongOnly: true },
      run: async ground => failEveryWay(ground, await failingMail(ground), mailWays),
    },
    {
      ...{ name: 'webhook fails in every way', databases, isLongOnly: true },
      run: async ground => failEveryWay(ground, await failingWebhook(ground), webhookWays),
    },
    { name: 'sheet away for a day', databases, isLongOnly: true, run: missADay },
    { name: 'sheet comes back', databases, isLongOnly: true, run: comeBack },
    { name: 'one dead beside two', databases, isLongOnly: true, run: keepTwoOfThree },
  ],
};
