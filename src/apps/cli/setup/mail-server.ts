import { isDeepStrictEqual } from 'node:util';
import { decodeUri } from '../../../lib/decode-uri.ts';
import { findSettingError } from '../../server/config.ts';
import type { Settings } from './env-file.ts';
import type { Prompts } from './prompts.ts';

type MailServer = { scheme: string; host: string; port: string; user: string; password: string };

/** Asks for the parts of SMTP_URL, and puts them together. */
export async function askMailServer(prompts: Prompts, settings: Settings): Promise<Settings> {
  const { SMTP_URL = '' } = settings;
  const choice = await prompts.choose(
    'How should the site send mail?',
    {
      none: 'Not yet: mails are saved as files in the data folder',
      server: 'Through the mail server of your mail provider',
    },
    SMTP_URL ? 'server' : 'none',
  );
  if (choice === 'none') return SMTP_URL ? { ...settings, SMTP_URL: '' } : settings;
  const current = parseServer(SMTP_URL);
  const host = await prompts.ask({
    message: 'What is the host name of the mail server?',
    current: current.host,
    ...(current.host === '' && { hint: 'such as mail.example.com' }),
    validate: answer =>
      isValid({ ...current, host: answer, port: '587', user: '', password: '' })
        ? undefined
        : 'expected a host name such as mail.example.com',
  });
  const port = await prompts.ask({
    message: 'Which port? 587 is usual, 465 is the other common one',
    current: host === current.host ? current.port : '587',
    validate: answer =>
      /^[1-9]\d{0,4}$/.test(answer) && Number(answer) <= 65_535 ? undefined : 'expected a port such as 587',
  });
  const user = await prompts.ask({
    message: 'Which user name does it ask for? Often the whole email address',
    current: current.user,
    ...(current.user === '' && { hint: 'Enter: it needs no login' }),
  });
  const kept = user === current.user ? current.password : '';
  const password = user
    ? await prompts.askPassword(kept ? 'Password (Enter keeps the present one)' : 'Password', kept)
    : '';
  const isSame = host === current.host && port === current.port;
  const scheme = isSame ? current.scheme : port === '465' ? 'smtps' : 'smtp';
  const server = { scheme, host, port, user, password };
  return isDeepStrictEqual(server, current) ? settings : { ...settings, SMTP_URL: formatServer(server) };
}

function parseServer(smtpUrl: string): MailServer {
  const url = URL.parse(smtpUrl);
  const scheme = url?.protocol === 'smtps:' ? 'smtps' : 'smtp';
  return {
    scheme,
    host: url?.hostname ?? '',
    port: url?.port || (scheme === 'smtps' ? '465' : '587'),
    user: decodeUri(url?.username ?? '') ?? '',
    password: decodeUri(url?.password ?? '') ?? '',
  };
}

function formatServer({ scheme, host, port, user, password }: MailServer): string {
  const login = user ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : '';
  return `${scheme}://${login}${host}:${port}`;
}

function isValid(server: MailServer): boolean {
  const settings = { SMTP_URL: formatServer(server), NOTIFY_EMAIL: 'owner@localhost' };
  return server.host !== '' && findSettingError(settings, 'SMTP_URL') === undefined;
}
