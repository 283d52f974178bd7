import { describe, expect, test } from 'vitest';
import { receiverTypes } from '../src/features.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { readSources, type Source } from './harness/repository-files.ts';
import { testConfig } from './harness/site.ts';
import { personalColumns, technicalColumns } from './harness/stored-columns.ts';
import { openTestStore } from './harness/stores.ts';

/**
 * What the software stores, sends and leaves in a browser. The lists are compared with the database and the sources: what
 * is new needs an entry here, or in harness/stored-columns.ts, and its sentence in content/privacy.md.
 */

/** All receivers of a message or subscriber mail. */
const receivers = ['sheet', 'mail', 'webhook', 'acknowledgements', 'confirmations', 'newsletter'];

/** The only files through which those receivers are reached. */
const callersOfReceivers = ['src/core/outbox/http-client.ts', 'src/core/mail/smtp-transport.ts'];

/** Ask about the site itself or an audited domain, and know nothing of any visitor. */
const askers = [
  'src/core/network/dns-transport.ts',
  'src/core/network/fetch-page.ts',
  'src/core/network/policy.ts',
  'src/core/network/tls-handshake.ts',
];

/** What sends something of a page by itself: the domain, the request, the address, the token, the message. */
const senders = [
  'src/features/audit/pages/request-audit.ts',
  'src/features/messages/pages/send-message.ts',
  'src/features/messages/pages/server-forms.tsx',
  'src/features/messages/pages/static-forms.tsx',
  'src/features/newsletter/pages/newsletter-submission.ts',
  'src/features/newsletter/pages/static-sign-up-form.tsx',
  'src/ui/boot.ts',
  'src/ui/forms/post-json.ts',
];

/** What keeps something in the tab of a visitor: the paused motion, and an unsent message. Scroll positions are React Router's. */
const keepers = ['src/features/messages/pages/unsent-message.ts', 'src/ui/motion.ts'];

/** The views of the desk call the desk alone: its policy allows nothing else. */
const sources = readSources().filter(
  ({ path }) => !/^src\/(apps|ui|features\/[^/]+)\/desk\/.*\.tsx$/.test(path),
);
const isInBrowser = ({ path }: Source) => /^src\/(ui|features\/[^/]+\/pages)\//.test(path);

describe('the list behind the privacy policy', () => {
  test('has every column that is stored', async () => {
    const stored = await readColumns();
    expect(stored).toContain('messages.email');
    expect(stored).toEqual([...personalColumns, ...technicalColumns].sort());
  });

  test('has every receiver of a message, and every file that calls another machine', () => {
    expect(receiverTypes.map(({ name }) => name)).toEqual(receivers);
    // The other folders of the server only answer requests, and make none.
    const callers = sources.filter(source => !isInBrowser(source) && callsOut(source));
    expect(callers.map(({ path }) => path)).toEqual([...askers, ...callersOfReceivers].sort());
  });

  test('has everything that a page sends automatically', () => {
    const found = sources.filter(source => isInBrowser(source) && callsOut(source));
    expect(found.map(({ path }) => path)).toEqual(senders);
  });

  test('has everything that stays in the browser, and no cookies', () => {
    const find = (use: RegExp) => sources.filter(({ text }) => use.test(text)).map(({ path }) => path);
    expect(find(/\b(sessionStorage|localStorage|indexedDB|caches)\b/)).toEqual(keepers);
    // The audit reads whether other sites set them.
    expect(find(/document\s*\.\s*cookie|cookieStore|set-cookie/i)).toEqual([
      'src/features/audit/checks/web-cookies.ts',
    ]);
  });
});

/** The columns of a new database, read from its catalogue. */
async function readColumns(): Promise<string[]> {
  await using database = (await databases[0]?.create()) as TestDatabase;
  await (await openTestStore({ ...testConfig(database.env), onError: () => undefined })).close();
  const rows = await database.query(
    `select t.name || '.' || c.name as name from sqlite_schema t, pragma_table_info(t.name) c
     where t.type in ('table', 'view') and t.name not like 'sqlite\\_%' escape '\\' order by 1`,
  );
  return rows.map(({ name }) => String(name));
}

/** A call, not the declaration of a function. */
const calls =
  /(?<![.\w])(fetch|postJson|postRecord)(<\w+>)?\((?!\w+: )|\b(sendBeacon|WebSocket|EventSource|XMLHttpRequest)\b|smtp-connection'/;
const networkImport =
  /^import (?!type )([^;]*?) from '(?:node:)?(?:https?|http2|net|tls|dgram|dns|dns\/promises)';/gm;

/** Whether a source begins a conversation with another machine; a server that listens does not. */
function callsOut({ text }: Source): boolean {
  const imported = Array.from(text.matchAll(networkImport), ([, names = '']) => names.split(/[{},]/)).flat();
  const listens = /^\s*(type \w+.*|Server.*|createServer|IncomingMessage|STATUS_CODES|BlockList|isIP)?\s*$/;
  return calls.test(text) || imported.some(name => !listens.test(name));
}
