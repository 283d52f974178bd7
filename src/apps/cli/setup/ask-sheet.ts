import { randomBytes } from 'node:crypto';
import { type Config, findSettingError, readConfig } from '../../server/config.ts';
import type { SettingsContext } from './ask-settings.ts';
import { checkSheet } from './checks.ts';
import type { Settings } from './env-file.ts';
import type { Prompts } from './prompts.ts';

type Kind = 'none' | 'google' | 'other';

const choices: Record<Kind, string> = {
  none: 'In the file messages.csv in the data folder',
  google: 'In a Google Sheet',
  other: 'In another sheet service (docs/engineer/sheets.md)',
};

export async function askSheet({ prompts, checks }: SettingsContext, before: Settings): Promise<Settings> {
  const secret = randomBytes(18).toString('base64url');
  return prompts.askChecked(
    before,
    async previous => {
      const kind = await prompts.choose('Where should messages be listed?', choices, kindOf(previous));
      if (kind === 'none') return previous.SHEET_URL ? withoutSheet(previous) : previous;
      if (kind === kindOf(previous)) return askUrl(prompts, previous, kind, readSecret(previous));
      if (kind === 'google') showScript(prompts, secret);
      return askUrl(prompts, withoutSheet(previous), kind, secret);
    },
    async settings => {
      const sheet = readSheet(settings);
      if (sheet?.kind !== 'service' || settings.SHEET_URL === before.SHEET_URL) return undefined;
      prompts.inform('Writing a test row …');
      return checkSheet(checks, sheet);
    },
  );
}

function showScript(prompts: Prompts, secret: string): void {
  prompts.list('Google Sheet', [
    '1. Open sheets.new in your browser, then Extensions, Apps Script.',
    '2. Paste deploy/google-sheet.gs, with its line "const SECRET" replaced by:',
    '',
    `const SECRET = '${secret}';`,
    '',
    '3. Deploy, New deployment, Web app, access Anyone. Copy the Web app URL.',
    'Every step in detail: docs/owner/google-sheet.md',
  ]);
}

async function askUrl(prompts: Prompts, settings: Settings, kind: Kind, secret?: string): Promise<Settings> {
  const current = settings.SHEET_URL ?? '';
  const isGoogle = kind === 'google';
  const url = await prompts.ask({
    message: isGoogle ? 'What is the Web app URL?' : 'What is the address of the sheet service?',
    current,
    // The address is a credential, so it is not shown.
    hint: current
      ? 'Enter keeps the present address'
      : isGoogle
        ? 'https://script.google.com/…/exec'
        : 'https://…',
    normalize: answer => (isGoogle && secret && isWebApp(answer) ? `${answer}?secret=${secret}` : answer),
    validate(answer) {
      if (isGoogle && !isWebApp(answer.replace(/\?.*/, '')))
        return 'expected the Web app URL that Google shows after Deploy: it begins with https://script.google.com/ and ends with /exec';
      return answer === '' ? 'is empty' : findSettingError({ ...settings, SHEET_URL: answer }, 'SHEET_URL');
    },
  });
  return url === current ? settings : { ...settings, SHEET_URL: url };
}

function isWebApp(answer: string): boolean {
  return /^https:\/\/script\.google\.com\/(a\/)?macros\/[^?#]+\/exec$/.test(answer);
}

function readSecret({ SHEET_URL = '' }: Settings): string | undefined {
  return URL.parse(SHEET_URL)?.searchParams.get('secret') ?? undefined;
}

function kindOf({ SHEET_URL = '' }: Settings): Kind {
  if (SHEET_URL.trim() === '') return 'none';
  return URL.parse(SHEET_URL)?.hostname === 'script.google.com' ? 'google' : 'other';
}

/** What was set for one service does not fit another. */
function withoutSheet(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, name.startsWith('SHEET_') ? '' : value]),
  );
}

function readSheet(settings: Settings): Config['sheet'] | undefined {
  const ofSheet = Object.entries(settings).filter(([name]) => name.startsWith('SHEET_'));
  const result = readConfig(Object.fromEntries(ofSheet));
  return 'config' in result ? result.config.sheet : undefined;
}
