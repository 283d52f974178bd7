import type { DepsOf } from '../../core/action.ts';
import { isExampleEmail } from '../../core/content/example-data.ts';
import { getLastRun } from '../../core/database/recorded-runs.ts';
import {
  afterFirstStart,
  below,
  type ClosedSite,
  failed,
  type LaunchCheck,
  ready,
  recommended,
  required,
  serverOnly,
  withSite,
} from '../../core/launch/check.ts';
import { places } from '../../core/launch/places.ts';
import { describeFailure } from '../../core/outbox/failures.ts';
import type { ReceiverStates } from '../../core/outbox/receivers.ts';
import { countFailedDeliveries } from './read-inbox.ts';
import type { SheetSettings } from './receivers/sheet-settings.ts';

type OpenSite = {
  domainDeps: DepsOf<typeof countFailedDeliveries> &
    DepsOf<typeof getLastRun> & { receiverStates: Pick<ReceiverStates, 'listPaused'> };
};
type MessageConfig = {
  mail: { to: string; from: string; isAcknowledging: boolean };
  sheet: SheetSettings;
};
type Context = { config: MessageConfig; site: OpenSite | ClosedSite; builtAt: Date | undefined };

const testCommand = 'npm run inbox -- test-message';

export const messageChecks: LaunchCheck<Context>[] = serverOnly<Context>(
  ...below<Context>(
    'Mail server',
    required(
      'Notification address',
      'Otherwise new messages go unnoticed.',
      places.setting('NOTIFY_EMAIL'),
      ({ config: { mail } }) =>
        isExampleEmail(mail.to)
          ? failed(`mails go to the example ${mail.to}`, 'set NOTIFY_EMAIL')
          : ready(`mails go to ${mail.to}`),
    ),
  ),
  ...below<Context>(
    'Sender address',
    recommended(
      'Acknowledgement',
      'A visitor then has the reference of the message in their own mailbox.',
      places.setting('ACKNOWLEDGEMENT'),
      ({ config: { mail } }) =>
        ready(
          mail.isAcknowledging
            ? `visitors get a mail from ${mail.from}; read content/emails/acknowledgement.md once`
            : 'visitors get no mail about their message; ACKNOWLEDGEMENT=on sends one',
        ),
    ),
    recommended(
      'Sheet',
      'A file on this machine is not shared, and is lost with the machine.',
      places.setting('SHEET_URL'),
      ({ config: { sheet } }) =>
        sheet.kind === 'file'
          ? failed(
              'rows go to messages.csv on this machine alone',
              'run npm run setup (docs/owner/google-sheet.md), or set SHEET_URL',
            )
          : ready(`rows go to ${new URL(sheet.url).host}`),
    ),
  ),
  ...below<Context>(
    'Backups',
    required(
      'Test message',
      'It is the only proof that messages arrive.',
      { text: 'Send a test message', path: '/health#receivers' },
      afterFirstStart<OpenSite, Context>(testCommand, async ({ domainDeps }, { builtAt }) => {
        const last = await getLastRun(domainDeps, 'test-message');
        if (!last) return failed('no test was ever accepted by all receivers', `run: ${testCommand}`);
        return builtAt && new Date(last) < builtAt
          ? failed(
              `none since the site was built on ${builtAt.toISOString().slice(0, 10)}`,
              `run: ${testCommand}`,
              'recommended',
            )
          : ready(`accepted by all receivers on ${last.slice(0, 10)}`);
      }),
    ),
    required(
      'Receivers',
      'A paused receiver gets nothing until its settings are fixed.',
      places.receivers,
      withSite<OpenSite, Context>(async ({ domainDeps }) => {
        const paused = await domainDeps.receiverStates.listPaused();
        const names = paused
          .map(({ name, failure }) => `${name} is paused (${describeFailure(failure)})`)
          .join('; ');
        return names
          ? failed(names, 'fix its settings, then run: npm run inbox -- retry --waiting')
          : ready('none is paused');
      }),
    ),
    recommended(
      'Failed deliveries',
      'These messages are stored, but a receiver never got them.',
      places.receivers,
      withSite<OpenSite, Context>(async ({ domainDeps }) => {
        const count = await countFailedDeliveries(domainDeps);
        return count === 0
          ? ready('none')
          : failed(
              `${count} failed`,
              'see npm run inbox -- deliveries --failed, then run: npm run inbox -- retry --failed',
            );
      }),
    ),
  ),
);
