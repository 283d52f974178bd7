import { isExampleEmail } from '../../../core/content/example-data.ts';
import type { AuditDns } from '../../../core/network/network.ts';
import { isLoopback } from '../../../core/settings/schemas.ts';
import type { ReceiverChecks } from '../../../features/messages/receivers/receiver-checks.ts';
import { type Config, findSettingError, readConfig } from '../../server/config.ts';
import { checkDomain, checkMailbox, checkMailServer, checkSender } from './checks.ts';
import type { Settings } from './env-file.ts';
import { askMailServer } from './mail-server.ts';
import type { Finding, Prompts } from './prompts.ts';

export type SettingsContext = { prompts: Prompts; dns: AuditDns; checks: ReceiverChecks };

export async function askDomain({ prompts, dns }: SettingsContext, before: Settings): Promise<Settings> {
  return prompts.askChecked(
    before,
    previous =>
      askSetting(prompts, previous, 'SITE_URL', {
        message: 'Which address will the site have? For example www.example.com',
        normalize: answer => (answer === '' || answer.includes('://') ? answer : `https://${answer}`),
      }),
    async ({ SITE_URL = '' }) => {
      const { hostname = '' } = URL.parse(SITE_URL) ?? {};
      if (SITE_URL === (before.SITE_URL ?? '') || isLoopback(hostname)) return undefined;
      prompts.inform(`Asking DNS for ${hostname} …`);
      return checkDomain(dns, hostname);
    },
  );
}

export async function askMail(
  { prompts, dns, checks }: SettingsContext,
  before: Settings,
  companyEmail: string,
): Promise<Settings> {
  if (before.SMTP_URL_FILE) {
    prompts.inform(
      `The mail server is in the file ${before.SMTP_URL_FILE} (SMTP_URL_FILE): change it there.`,
    );
    return before;
  }
  const withServer = await prompts.askChecked(
    before,
    previous => askMailServer(prompts, previous),
    async settings => {
      const smtp = readMailServer(settings);
      if (!smtp) return undefined;
      prompts.inform(`Connecting to ${smtp.host} on port ${smtp.port} …`);
      return checkMailServer(checks, smtp);
    },
  );
  if (!withServer.SMTP_URL) return withServer;
  const withRecipient = await askEmail(prompts, withServer, 'NOTIFY_EMAIL', {
    message: 'Who should get a mail for each new message?',
    suggested: isExampleEmail(companyEmail) ? '' : companyEmail,
    current: before.NOTIFY_EMAIL,
    check: email => checkMailbox(dns, email),
  });
  // Without a recipient the site would not start.
  if (!withRecipient.NOTIFY_EMAIL) return before;
  const after = await askEmail(prompts, withRecipient, 'MAIL_FROM', {
    message: 'From which address should the site send? It must be one that your mail server may use',
    suggested: withRecipient.NOTIFY_EMAIL,
    current: before.MAIL_FROM || before.NOTIFY_EMAIL,
    check: email => checkSender(dns, email),
  });
  // Unset, it is the recipient's address.
  const isDefault = !before.MAIL_FROM && after.MAIL_FROM === after.NOTIFY_EMAIL;
  return isDefault ? { ...after, MAIL_FROM: before.MAIL_FROM ?? '' } : after;
}

type EmailQuestion = {
  message: string;
  /** Offered while the setting is unset. */
  suggested: string;
  current: string | undefined;
  check(email: string): Promise<Finding>;
};

function askEmail(
  prompts: Prompts,
  before: Settings,
  name: 'NOTIFY_EMAIL' | 'MAIL_FROM',
  { message, suggested, current, check }: EmailQuestion,
): Promise<Settings> {
  return prompts.askChecked(
    before,
    previous =>
      askSetting(prompts, previous[name] ? previous : { ...previous, [name]: suggested }, name, {
        message,
        hint: 'such as office@example.com',
      }),
    async ({ [name]: email = '' }) => (email === current ? undefined : check(email)),
  );
}

async function askSetting(
  prompts: Prompts,
  settings: Settings,
  name: string,
  question: Omit<Parameters<Prompts['ask']>[0], 'current' | 'validate'>,
): Promise<Settings> {
  const current = settings[name] ?? '';
  const { hint = 'Enter leaves this unset', ...rest } = question;
  const answer = await prompts.ask({
    ...rest,
    current,
    ...(current === '' && { hint }),
    validate: answer => findSettingError({ ...settings, [name]: answer }, name),
  });
  return answer === current ? settings : { ...settings, [name]: answer };
}

/** Without the errors of other settings, which are not asked for yet. */
function readMailServer({ SMTP_URL = '', SITE_URL = '' }: Settings): Config['mail']['smtp'] {
  const result = readConfig({ SMTP_URL, SITE_URL, NOTIFY_EMAIL: 'owner@localhost' });
  return 'config' in result ? result.config.mail.smtp : undefined;
}
