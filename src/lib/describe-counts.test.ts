import { expect, test } from 'vitest';
import { tableNames } from '../core/database/migrations/create-tables.ts';
import { describeCounts } from './describe-counts.ts';

/** `restore` and `copy-database` take a database for empty if nothing is described. */
test.each(['messages', 'deliveries', 'subscribers', 'sign_ups', 'newsletter_issues'])(
  'rows of the table %s are described',
  name => {
    expect(tableNames).toContain(name);
    expect(describeCounts({ [name]: 1 })).toMatch(/^1 /);
  },
);
