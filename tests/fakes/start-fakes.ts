import type { ServiceOverrides } from '../../src/apps/server/wire.ts';
import { createAuditFeature } from '../../src/features/audit/feature.ts';
import { createLocalAudits } from './local-audits.ts';
import { createSheetService } from './sheet-service.ts';
import { createSmtpServer } from './smtp-server.ts';

type Environment = Record<string, string | undefined>;

/** The audit's fake is no setting: nothing in the product widens where an audit may connect. */
type Fakes = AsyncDisposable & { overrides: Pick<Partial<ServiceOverrides>, 'features'> };

/**
 * Starts fakes for the services that the environment does not configure, and sets their URLs. With DEV_FAKES=off
 * the sheet is a CSV file and each mail an .eml file, as on a server without settings.
 */
export async function startFakes(env: Environment, print: (line: string) => void): Promise<Fakes> {
  const fakes = Object.assign(new AsyncDisposableStack(), { overrides: {} as Fakes['overrides'] });
  const isSet = (name: string) => Boolean(env[name]?.trim() || env[`${name}_FILE`]?.trim());
  if (env.DEV_FAKES?.trim() === 'off') return fakes;
  // What waits for the real services must not be handed to these.
  if (!isSet('DATA_DIR') && !isSet('DATABASE_URL')) env.DATA_DIR = 'data/dev';
  for (const name of ['SHEET_URL', 'SMTP_URL', 'WEBHOOK_URL']) {
    if (isSet(name)) print(`${name} is set, and is called for real`);
  }

  if (!isSet('SHEET_URL')) {
    const sheet = fakes.use(await createSheetService());
    env.SHEET_URL = sheet.url;
    print(`The sheet is a fake; its rows are at ${sheet.url}`);
  }
  if (!isSet('SMTP_URL')) {
    const smtp = fakes.use(
      await createSmtpServer({
        onMail({ to, header, text }) {
          print(`Mail to ${to.join(', ')}: ${header('Subject')}`);
          // The link that a subscriber would open in a real mailbox.
          const link = /https?:\/\/\S+\/newsletter\/\S+/.exec(text)?.[0];
          if (link) print(`  ${link}`);
        },
      }),
    );
    env.SMTP_URL = smtp.url;
    if (!isSet('NOTIFY_EMAIL')) env.NOTIFY_EMAIL = 'owner@localhost';
    print(`The mail server is a fake; each mail, to ${env.NOTIFY_EMAIL} or to a subscriber, is shown here`);
  }
  const audits = await createLocalAudits();
  fakes.defer(audits.close);
  fakes.overrides = { features: [createAuditFeature({ runner: audits })] };
  print(`The audit knows fake domains only: ${audits.names.join(', ')}`);
  return fakes;
}
