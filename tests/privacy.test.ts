import { join } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';
import { plainText } from '../src/content/prose.ts';
import { readContent } from '../src/content/read-content.ts';
import { ownerReceivers, type ReceiverName, subscriberReceivers } from '../src/deliveries/delivery.ts';
import { openStore } from '../src/store/open-store.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { readSources, type Source } from './harness/repository-files.ts';
import { root, testConfig } from './harness/site.ts';

/**
 * What the software stores, sends and leaves in a browser, with sentences of /privacy about it. The keys are compared
 * with the database and the sources: a new one needs an entry, and words in content/privacy.md.
 */
const personalColumns = listColumns({
  attempts: 'ended_at number reason receiver reference state',
  audit: 'action counts done_at hash',
  deliveries: `attempts created_at due_at is_ambiguous is_possible_duplicate issue kind last_failure lease lease_until mailbox
    network payload receiver reference settled_at state subscriber`,
  messages: `answered_at audit_report closed_at email idempotency_key message name quarantine_reason received_at reference service
    state`,
  notes: 'created_at reference text',
  rate_counts: 'client count resets_at',
  // The same words again, for the owner's search.
  search_texts: 'id reference text',
  search_index: 'text',
  search_index_config: 'k v',
  search_index_data: 'block id',
  search_index_idx: 'pgno segid term',
  sign_ups: 'address consent_text form id network requested_at subscriber',
  subscribers: `address confirmed_at consent_requested_at consent_text form id mailed_at request_consent_text request_form
    requested_at state suppressed_at suppression_reason unsubscribed_at`,
  tokens: 'expires_at hash subscriber',
});
const sentences = {
  messages: 'the text of your message, including any phone number',
  notes: 'short notes that we write while we deal with it',
  subscribers: 'We store the address and the evidence that you agreed',
  sign_ups: 'We first store a new request under a random number',
  tokens: 'we store only a hash of the key',
  deliveries: 'to which of our own systems it was passed on, when, and with what result',
  attempts: 'when, and with what result, for each attempt',
  audit: 'When you use one of these rights, we record what was done',
  rate_counts: 'the IP address is hashed with a secret key',
};

/** What knows nothing of any visitor: the database's own state, our keys and words, and the state of a receiver. */
const technicalColumns = listColumns({
  audit_links: 'created_at expires_at hash report',
  audit_reports: 'domain id measured_at report',
  consent_texts: 'first_used_at id text',
  migrations: 'applied_at name',
  newsletter_issues: 'hash held_at html name queued_at reference subject text',
  readiness: 'checks id',
  receivers: 'failing_at failure_reason name pause_reason paused_at probed_at refusals',
  scheduled_runs: 'done_at name',
  secrets: 'created_at name value',
  throttles: 'receiver used_until',
});

function listColumns(tables: Record<string, string>): string[] {
  return Object.entries(tables).flatMap(([table, names]) =>
    names.split(/\s+/).map(name => `${table}.${name}`),
  );
}

/** All recipients of a message or subscriber mail: people, the database, and each receiver of the outbox. */
const receivers: Record<'people' | 'store' | ReceiverName, string> = {
  people: 'Messages are passed to the people',
  store: 'Messages are stored in our own database',
  sheet: 'A copy of each message is written as a row into a spreadsheet',
  mail: 'another is sent by email to the people who answer',
  webhook: 'If we use a chat or another system of our own to be notified of messages',
  acknowledgements: 'We may confirm by email that your message has arrived',
  confirmations: 'We then send one email to your address, asking you to confirm',
  newsletter: 'newsletter issues are sent to you alone',
};

/** The only files through which those receivers are reached. */
const callersOfReceivers = ['src/deliveries/http-client.ts', 'src/deliveries/mail/smtp-transport.ts'];

/** Ask about the site itself or an audited domain, and know nothing of any visitor. */
const askers = [
  'src/audit/net/dns-transport.ts',
  'src/audit/net/fetch-page.ts',
  'src/audit/net/policy.ts',
  'src/audit/net/tls-handshake.ts',
];

/** What a page sends by itself, by the file that does it. */
const senders: Record<string, string> = {
  'src/site/audit/request-audit.ts': 'your browser sends us the domain you typed',
  'src/site/boot.ts': 'your browser must give our server its IP address, the page it wants',
  'src/site/forms/newsletter-submission.ts': 'your browser sends us your email address, which form you used',
  'src/site/forms/server-forms.tsx': 'your browser asks our server for a signed time when a form is ready',
  'src/site/forms/static-forms.tsx': 'Your browser sends a message directly to {contactHost}',
  'src/site/forms/send-message.ts': 'The key is sent to us with the message',
};

/** What stays in the tab of a visitor, by its key. */
const keptInBrowser: Record<string, string> = {
  motion: 'whether you have paused motion',
  'unsent-message:': 'a message that could not be sent because the connection failed',
};

/** The same of what a library keeps. React Router's ScrollRestoration has a key of its own in sessionStorage. */
const keptByLibraries: Record<string, string> = {
  'react-router-scroll-positions': 'how far you had scrolled on the pages you visited',
};

/** The views of the desk call the desk alone: its policy allows nothing else. */
const sources = readSources().filter(({ path }) => !path.startsWith('src/desk/') || !path.endsWith('.tsx'));
const isInBrowser = ({ path }: Source) => path.startsWith('src/site/');
const policy = readPolicy();

describe('the privacy policy', () => {
  test('covers every column that is stored', async () => {
    const stored = await readColumns();
    expect(stored).toContain('messages.email');
    expect(stored).toEqual([...personalColumns, ...technicalColumns].sort());
    expect(findUnsaid(sentences)).toEqual([]);
  });

  test('has a sentence for every recipient of a message', () => {
    expect(Object.keys(receivers)).toEqual([
      ...['people', 'store', ...ownerReceivers, 'acknowledgements', ...subscriberReceivers],
    ]);
    expect(findUnsaid(receivers)).toEqual([]);
    // The other folders of the server only answer requests, and make none.
    const callers = sources.filter(source => !isInBrowser(source) && callsOut(source));
    expect(callers.map(({ path }) => path)).toEqual([...askers, ...callersOfReceivers]);
  });

  test('has a sentence for everything that a page sends automatically', () => {
    const found = sources.filter(source => isInBrowser(source) && callsOut(source));
    expect(found.map(({ path }) => path)).toEqual(Object.keys(senders).sort());
    expect(findUnsaid(senders)).toEqual([]);
  });

  test('has a sentence for everything that stays in the browser', () => {
    const constants = Object.assign({}, ...sources.map(readConstants));
    const keys = sources
      .filter(isInBrowser)
      .flatMap(source => readKeys(source, { ...constants, ...readConstants(source) }));
    expect([...new Set(keys)].sort()).toEqual(Object.keys(keptInBrowser).sort());
    expect(findUnsaid({ ...keptInBrowser, ...keptByLibraries })).toEqual([]);
  });

  test('is right about the absence of cookies', () => {
    expect(policy).toContain('The site sets no cookies');
    expect(policy).toContain('None of this is a cookie');
    const setsCookie = /document\s*\.\s*cookie|cookieStore|set-cookie/i;
    // The audit reads whether other sites set them.
    const found = sources.filter(({ text }) => setsCookie.test(text)).map(({ path }) => path);
    expect(found).toEqual(['src/audit/checks/web-cookies.ts']);
  });
});

/** The names whose words the policy does not hold. */
function findUnsaid(entries: Record<string, string>): string[] {
  return Object.keys(entries).filter(name => !policy.includes(entries[name] as string));
}

function readPolicy(): string {
  const { content, errors } = readContent(join(root, 'content'));
  if (!content) throw new Error(`${errors.length} mistakes in content/`);
  return plainText(content.privacy.body.flatMap(node => [node, '\n']));
}

/** The columns of a new database, read from its catalogue. */
async function readColumns(): Promise<string[]> {
  await using database = (await databases[0]?.create()) as TestDatabase;
  await (await openStore({ ...testConfig(database.env), onError: () => undefined })).close();
  const rows = await database.query(
    `select t.name || '.' || c.name as name from sqlite_schema t, pragma_table_info(t.name) c
     where t.type in ('table', 'view') and t.name not like 'sqlite\\_%' escape '\\' order by 1`,
  );
  return rows.map(({ name }) => String(name));
}

/** Whether a source begins a conversation with another machine; a server that listens does not. */
function callsOut({ path, text }: Source): boolean {
  let isFound = false;
  const judge = (isCall: boolean) => {
    isFound ||= isCall;
  };
  new Visitor({
    CallExpression: ({ callee }) =>
      judge(callee.type === 'Identifier' && /^(fetch|postJson)$/.test(callee.name)),
    Identifier: ({ name }) => judge(/^(sendBeacon|WebSocket|EventSource|XMLHttpRequest)$/.test(name)),
    ImportDeclaration({ source, specifiers, importKind }) {
      if (importKind === 'type') return;
      judge(source.value === 'nodemailer/lib/smtp-connection');
      if (!/^(node:)?(http|https|http2|net|tls|dgram|dns|dns\/promises)$/.test(source.value)) return;
      judge(
        specifiers.some(specifier => {
          if (specifier.type !== 'ImportSpecifier') return true;
          const name = 'name' in specifier.imported ? specifier.imported.name : specifier.imported.value;
          return (
            specifier.importKind !== 'type' &&
            !/^(Server|createServer|IncomingMessage|STATUS_CODES|BlockList|isIP)$/.test(name)
          );
        }),
      );
    },
  }).visit(parseSync(path, text).program);
  return isFound;
}

/** `const name = 'text'`, wherever it stands. */
function readConstants({ text }: Source): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/\bconst (\w+)(?:: [^=]+)? = '([^']*)'/g)].map(([, name, value]) => [name, value]),
  );
}

/** The names under which a source stores something; a question mark where the source does not show it. */
function readKeys({ path, text }: Source, constants: Record<string, string>): string[] {
  const named = /\b(?:get|set|remove)Item\(([\w']+)|storageKey=\{?["']?(\w+)/g;
  const keys = [...text.matchAll(named)].map(([, item = '', prop = '']) => {
    const name = item || prop;
    return name.startsWith("'") ? name.slice(1, -1) : (constants[name] ?? `? in ${path}`);
  });
  const isUnknown = /\b(session|local)Storage\[|\bindexedDB\b|\bcaches\./.test(text);
  return isUnknown ? [...keys, `? in ${path}`] : keys;
}
