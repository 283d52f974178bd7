import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import {
  actionsNeeding,
  type DepsOf,
  describeShown,
  field,
  flag,
  limit,
  optional,
  parsed,
  Refusal,
} from '../../../core/action.ts';
import { contentFolder } from '../../../core/content/content-folder.ts';
import { findPublishedContent } from '../../../core/http/current-build.ts';
import type { IssueSite } from '../../../core/issue-source.ts';
import type { Outcome } from '../../../core/outbox/delivery.ts';
import { describeFailure, describeStoredFailure } from '../../../core/outbox/failures.ts';
import type { ReceiverStates } from '../../../core/outbox/receivers.ts';
import { parseDeliverableAddress } from '../../../lib/email-address.ts';
import { errorMessage } from '../../../lib/error-message.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { renderPreview } from '../create-newsletter.ts';
import { getMailTexts } from '../mail-texts.ts';
import { type ReadableIssue, readIssueFile } from '../read-issue-file.ts';
import { findIssue, findNewestIssue, readIssue, readIssueStatus, summarizeCounts } from '../read-issues.ts';
import { receiverTypes } from '../receiver-types.ts';
import { pauseIssue, resendIssue, resumeIssue } from '../send-issue.ts';
import { sendTestIssue } from '../send-test-issue.ts';

type FindDeps = DepsOf<typeof findIssue | typeof findNewestIssue | typeof readIssue>;

const defineAction = actionsNeeding<
  DepsOf<typeof sendTestIssue> & {
    domainDeps: FindDeps &
      DepsOf<typeof pauseIssue | typeof resumeIssue | typeof resendIssue | typeof readIssueStatus> & {
        receiverStates: Pick<ReceiverStates, 'listPaused'>;
      };
  }
>();

const definePreview = actionsNeeding<{
  config: { siteUrl?: string | undefined; port: number; dataDir: string };
}>();

const findPublished = () => findPublishedContent(dirname(contentFolder));

export type IssueField = ReturnType<typeof createIssueField>;

export function createIssueField(site: IssueSite) {
  const read = (file: string): ReadableIssue => {
    const folders = { content: contentFolder, published: findPublished() };
    const result = readIssueFile(site, folders, file, new Date());
    if (result.issue) return result;
    const errors = result.errors.map(({ text }) => `  ${text}`);
    throw new Refusal(`${file} has validation errors:`, errors);
  };
  const about = ['FILE.md', ...site.sources.map(source => source.about)].join(', or ');
  return field('<file>', about, v.pipe(v.string(), v.transform(read)));
}

export const describeWarning = (text: string) => `Warning: ${text}`;

export const createPreview = (issue: IssueField) =>
  definePreview({
    name: 'preview',
    about: 'write an issue as HTML and text files into the data folder',
    examples: ['2026-11.md'],
    opens: 'nothing',
    input: v.object({ issue }),
    async run({ config: { siteUrl, port, dataDir } }, { issue: { issue, warnings } }) {
      const base = siteUrl ?? `http://localhost:${port}`;
      const { subject, ...mail } = renderPreview(issue, readMailTexts().issue, base);
      const folder = join(dataDir, 'newsletter');
      const files = { html: join(folder, `${issue.name}.html`), text: join(folder, `${issue.name}.txt`) };
      const html = mail.html.replace('<title>', '<meta name="robots" content="noindex">\n<title>');
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writePrivate(files.html, html);
        writePrivate(files.text, mail.text);
      } catch (error) {
        throw new Refusal(`cannot write the preview: ${errorMessage(error)}`);
      }
      return { subject, files, warnings, base: siteUrl ? undefined : base };
    },
    print: ({ subject, files, warnings, base }) => [
      ...warnings.map(describeWarning),
      `Subject: ${subject}`,
      base !== undefined && `SITE_URL is not set; links point to ${base}`,
      { lines: [files.html, files.text] },
    ],
    json: ({ subject, files }) => ({ subject, ...files }),
  });

function readMailTexts() {
  try {
    return getMailTexts(findPublished());
  } catch (error) {
    const [first = '', ...rest] = (error as Error).message.split('\n');
    throw new Refusal(first, rest);
  }
}

function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}

const recipient = parsed(
  given => parseDeliverableAddress(given)?.address,
  'It is not an address that mail can be sent to.',
);

export const createSendTest = (issue: IssueField) =>
  defineAction({
    name: 'test',
    about: 'send an issue to one address immediately',
    examples: ['2026-11.md --to me@example.com'],
    input: v.object({
      issue,
      to: field('--to <address>', 'recipient', recipient),
    }),
    run: (services, { issue: { issue }, to }) => sendTestIssue(services, issue, to),
    print: (outcome, { to, issue: { warnings } }, { newsletter }) => [
      ...warnings.map(describeWarning),
      outcome.kind === 'delivered'
        ? `Test for ${to} sent to ${newsletter.subscriberMail.newsletter.destination}`
        : { error: `test not sent: ${describeFailure(outcome.failure)}` },
      'isAmbiguous' in outcome && outcome.isAmbiguous && 'It may have arrived anyway.',
    ],
    json: (outcome, { to }) => ({ to, ...describeOutcome(outcome) }),
  });

function describeOutcome(outcome: Outcome) {
  if (outcome.kind === 'delivered') return outcome;
  const { failure, ...rest } = outcome;
  return { ...rest, reason: describeFailure(failure) };
}

const name = optional('[name]', 'name or file of an issue (default: the newest)', v.string());
/** The desk knows an issue by its reference. */
const chosen = v.object({ name, reference: v.optional(v.string()) });

type Finding = { domainDeps: FindDeps } & Pick<IssueSite, 'sources'>;

async function findNamed({ domainDeps, sources }: Finding, given: string) {
  const plain = basename(given, '.md');
  const own = sources.find(({ hasFile }) => hasFile(contentFolder, given));
  // Another issue may have the name of a post's file.
  const names = own ? [own.nameIssue(plain)] : [plain, ...sources.map(({ nameIssue }) => nameIssue(plain))];
  const found = await findIssue(domainDeps, names);
  if (!found) throw new Refusal(`no issue named '${plain}'`);
  return found;
}

async function findChosen(
  finding: Finding,
  { name, reference }: v.InferOutput<typeof chosen>,
  having: Parameters<typeof findNewestIssue>[1],
) {
  const { domainDeps } = finding;
  if (name !== undefined) return findNamed(finding, name);
  const found = await (reference === undefined
    ? findNewestIssue(domainDeps, having)
    : readIssue(domainDeps, reference));
  if (!found) throw new Refusal(`no issue has ${having === 'unsent' ? 'waiting' : having} mails`);
  return found;
}

export const createStop = ({ sources }: IssueSite) =>
  defineAction({
    name: 'stop',
    about: 'hold the waiting mails of an issue',
    examples: [''],
    input: chosen,
    async run({ domainDeps }, given) {
      const { name, reference } = await findChosen({ domainDeps, sources }, given, 'unsent');
      return { name, ...(await pauseIssue(domainDeps, reference)) };
    },
    print: ({ name, held, sending }) =>
      held + sending === 0
        ? [{ error: `${name} has no waiting mails` }]
        : [
            `${formatCount(held, 'mail')} of ${name} held. Mails being sent now may still arrive.`,
            `To continue: npm run newsletter -- resume ${name}`,
          ],
    json: ({ name, held }) => ({ name, held }),
  });

export const createResume = ({ sources }: IssueSite) =>
  defineAction({
    name: 'resume',
    about: 'continue a stopped issue',
    examples: [''],
    input: chosen,
    async run({ domainDeps }, given) {
      const { name, reference } = await findChosen({ domainDeps, sources }, given, 'held');
      return { name, ...(await resumeIssue(domainDeps, reference)) };
    },
    print: ({ name, resumed, wasPaused }) =>
      !wasPaused && resumed === 0
        ? [{ error: `${name} has no held mails` }]
        : [
            wasPaused && 'Sending is no longer paused',
            `${formatCount(resumed, 'mail')} of ${name} due now; the running server, or the next, will send them`,
          ],
    json: ({ name, resumed }) => ({ name, resumed }),
  });

export const createResend = ({ sources }: IssueSite) =>
  defineAction({
    name: 'resend',
    about: 'send failed or unconfirmed mails of an issue again; new subscribers are not added',
    examples: ['2026-10 --failed'],
    input: v.pipe(
      v.object({
        ...chosen.entries,
        failed: flag('--failed', 'mails that failed'),
        unconfirmed: flag('--unconfirmed', 'mails that may or may not have arrived'),
      }),
      v.check(
        ({ failed, unconfirmed }) => failed !== unconfirmed,
        'resend requires --failed or --unconfirmed',
      ),
    ),
    async run({ domainDeps }, { failed, ...given }) {
      const which = failed ? 'failed' : 'unconfirmed';
      const { name, reference } = await findChosen({ domainDeps, sources }, given, which);
      const resent = await resendIssue(domainDeps, reference, which);
      return { name, resent };
    },
    print: ({ name, resent }, { failed }) => [
      resent > 0
        ? `${formatCount(resent, 'mail')} of ${name} due now; the running server, or the next, will send them`
        : { error: `${name} has no ${failed ? 'failed' : 'unconfirmed'} mails` },
    ],
  });

const queues = Object.values(receiverTypes).map(({ name }) => name);

export const createStatus = ({ sources }: IssueSite) =>
  defineAction({
    name: 'status',
    about: 'show the delivery status of all issues, or of one in detail',
    examples: ['2026-10'],
    input: v.object({ name, limit }),
    async run({ domainDeps }, { name, limit }) {
      const one = name === undefined ? undefined : await findNamed({ domainDeps, sources }, name);
      const found = await readIssueStatus(domainDeps, { issue: one, limit });
      const stopped = await domainDeps.receiverStates.listPaused(queues);
      const paused = stopped.map(({ failure, ...queue }) => ({
        ...queue,
        pause_reason: describeFailure(failure),
      }));
      const issues = found.issues.map(({ name, subject, queued_at, counts }) => ({
        name,
        subject,
        queued_at,
        ...summarizeCounts(counts),
      }));
      const undelivered = found.undelivered.map(
        ({ address, subscriber, state, attempts, settled_at, last_failure }) => ({
          address: address ?? subscriber,
          state,
          attempts,
          settled_at,
          reason: describeStoredFailure(last_failure),
        }),
      );
      return { issues, ...(one && { undelivered }), paused, requests: found.waitingRequests };
    },
    print({ issues, undelivered = [], paused, requests }) {
      const total = issues.reduce((sum, row) => sum + row.failed + row.unconfirmed, 0);
      const isDetailed = undelivered.length > 0;
      return [
        issues.map(({ name, subject, queued_at: queued, ...rest }) => ({ name, subject, queued, ...rest })),
        isDetailed && { lines: [''] },
        undelivered.map(({ settled_at: at, reason, ...row }) => ({ ...row, at, reason })),
        isDetailed && total > undelivered.length && describeShown(undelivered.length, total),
        ...paused.map(
          ({ name, paused_at, pause_reason }) =>
            `Queue ${name} has been paused since ${paused_at}: ${pause_reason}. Fix it, then restart the server.`,
        ),
        requests > 0 && `${formatCount(requests, 'sign-up')} waiting (limited by NEWSLETTER_MAX_PER_HOUR)`,
        issues.length === 0 && 'No issues have been sent',
      ];
    },
  });
