import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, optional, Refusal, reference } from '../../../core/action.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { type Correction, type PersonalFieldName, personalFields } from '../../messages/message-fields.ts';
import { createAddressMatcher } from '../address-matcher.ts';
import { listCopyTargets } from '../copy-targets.ts';
import { describeCounts } from '../describe-counts.ts';
import { erasePerson, findUnknownReferences } from '../erase-person.ts';
import { buildPostgresCleanupTasks, listCorrectionTasks, listErasureTasks } from '../follow-up-tasks.ts';
import { planRectification, rectifyPerson } from '../rectify-person.ts';
import { isNothingFound, searchPersonalData } from '../search-personal-data.ts';
import { describeTask, listProblems, longRead } from './describe-erasure.ts';
import { address, describeFindings, findingsToJson } from './find-person.ts';

type PlanDeps = DepsOf<typeof planRectification>;

const defineAction = actionsNeeding<
  DepsOf<typeof listCopyTargets> & {
    domainDeps: PlanDeps &
      DepsOf<typeof rectifyPerson> &
      DepsOf<typeof listCorrectionTasks> &
      DepsOf<typeof findUnknownReferences> &
      DepsOf<typeof searchPersonalData> &
      DepsOf<typeof listErasureTasks> &
      DepsOf<typeof erasePerson>;
    config: { dataDir: string };
  }
>();

const maxNameLength = 200;

const correctedText = v.optional(
  v.pipe(
    v.string(),
    v.maxLength(maxNameLength, `Use at most ${maxNameLength} characters.`),
    v.check(text => !text.includes('\0') && text.isWellFormed(), 'It is not a text.'),
  ),
);

const correctedAddress = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.check(
      email => createAddressMatcher(email) !== undefined,
      'Enter an email address, such as zoe@example.com.',
    ),
  ),
);

function createCorrectionField({ name, label, input }: (typeof personalFields)[number]) {
  return input === 'email'
    ? field(`--${name} <address>`, 'new address; the newsletter asks it to confirm', correctedAddress)
    : field(`--${name} <text>`, `new ${label.toLowerCase()}`, correctedText);
}

const correction = {
  address,
  ...(Object.fromEntries(personalFields.map(each => [each.name, createCorrectionField(each)])) as Record<
    PersonalFieldName,
    ReturnType<typeof createCorrectionField>
  >),
  reference: optional('--reference <reference>', 'only in this message', reference),
};

const correctionOptions = personalFields.map(({ name }) => `--${name}`).join(' or ');

type CorrectionInput = v.InferOutput<v.ObjectSchema<typeof correction, undefined>>;

export function planCorrection(
  { domainDeps }: { domainDeps: PlanDeps },
  { address: matcher, reference, ...given }: CorrectionInput,
) {
  const change = readChange(given);
  return planRectification(domainDeps, matcher, { change, reference });
}

type Given = { [Name in PersonalFieldName]?: string | undefined };

function readChange(given: Given): Correction {
  const changed = personalFields.filter(({ name }) => given[name] !== undefined);
  return Object.fromEntries(changed.map(({ name }) => [name, given[name]]));
}

async function planOrRefuse(services: { domainDeps: PlanDeps }, input: CorrectionInput) {
  const plan = await planCorrection(services, input);
  const { address: matcher, reference, email } = input;
  if (plan.kind === 'undeliverable')
    throw new Refusal(`'${email}' is not a valid email address. Nothing was changed.`);
  if (plan.kind === 'nothing')
    throw new Refusal(
      reference === undefined
        ? `no data to change for ${matcher.address}`
        : `${reference} is not a message of ${matcher.address}`,
    );
  return plan;
}

export const rectify = defineAction({
  name: 'rectify',
  about: 'correct a name or address in the database and local copies',
  examples: ['zoe@example.com --name "Zoe Adams"', 'zoe@example.com --email zoe.adams@example.com'],
  input: v.pipe(
    v.object(correction),
    v.check(
      given => personalFields.some(({ name }) => given[name] !== undefined),
      `rectify requires ${correctionOptions}`,
    ),
  ),
  async confirm(services, input) {
    const { rows, isSubscriber } = await planOrRefuse(services, input);
    return {
      shows: [
        listCorrections(rows, input),
        `${formatCount(rows.length, 'message')} to change`,
        isSubscriber &&
          'Newsletter: the old address is unsubscribed, and the new one is asked to confirm. Consent is not transferred.',
      ],
      text: 'Change them?',
      otherwise: 'Nothing was changed',
    };
  },
  /** Planned again: a delivery may have been made while the question was open. */
  async run(services, input) {
    const { domainDeps } = services;
    const { found } = await planOrRefuse(services, input);
    const change = readChange(input);
    const { cleanup, ...changed } = await rectifyPerson(domainDeps, input.address, found, change);
    const { newsletter, ...counts } = changed;
    return {
      change,
      changed,
      done: [
        ...(counts.messages > 0 || !newsletter ? [`Corrected: ${describeCounts(counts) || 'nothing'}.`] : []),
        ...(newsletter ? [`Newsletter: ${newsletter}.`] : []),
      ],
      problems: cleanup.kind === 'sqlite' && !cleanup.isClean ? [longRead] : [],
      tasks: await listCorrectionTasks(domainDeps, listCopyTargets(services), found),
    };
  },
  print: ({ done, tasks, problems }) => [...done, ...tasks.map(describeTask), ...problems],
  json: ({ change, changed, tasks }, { address: { address } }) => ({ address, change, ...changed, tasks }),
});

type Corrected = Record<'reference' | 'received_at' | PersonalFieldName, string>;

export function listCorrections(rows: readonly Corrected[], given: Given) {
  const change = readChange(given);
  const join = (fields: Correction) =>
    personalFields
      .flatMap(({ name }) => (change[name] === undefined ? [] : (fields[name] ?? [])))
      .filter(Boolean)
      .join(', ');
  return rows.map(row => ({
    reference: row.reference,
    time: row.received_at,
    old: join(row),
    new: join(change),
  }));
}

export const erase = defineAction({
  name: 'erase',
  about: 'erase the data from the database and local copies',
  examples: ['zoe@example.com'],
  input: v.object({
    address,
    with: field(
      '--with <reference>',
      'also erase this message; repeatable',
      v.optional(v.array(reference), []),
    ),
  }),
  async confirm({ domainDeps, config }, { address: matcher, with: references }) {
    const unknown = await findUnknownReferences(domainDeps, references);
    if (unknown.length > 0)
      throw new Refusal(`no message with the reference ${unknown.join(', ')}. Nothing was erased.`);
    const found = await searchPersonalData(domainDeps, matcher, references);
    const { messages, mentions } = found;
    const isEmpty = isNothingFound(found);
    return {
      shows: [
        ...describeFindings(found, config.dataDir),
        !isEmpty &&
          `To be erased: ${formatCount(messages.length, 'message')} and everything else listed, except newsletter issues and your own files.`,
        mentions.length > 0 &&
          `In ${formatCount(mentions.length, 'message')} of other people the address is replaced by [erased]; --with REFERENCE erases such a message as well.`,
      ],
      text: isEmpty ? undefined : 'Erase all of this?',
      otherwise: 'Nothing was erased',
    };
  },
  /** Searched again: a delivery may have been made while the question was open. */
  async run(services, { address: matcher, with: given }) {
    const { domainDeps } = services;
    const extraReferences = [...new Set(given)];
    const found = await searchPersonalData(domainDeps, matcher, extraReferences);
    const isKnown = !isNothingFound(found);
    const tasks = isKnown ? await listErasureTasks(domainDeps, listCopyTargets(services), found) : [];
    const erased = await erasePerson(domainDeps, matcher, { extraReferences, found });
    const { remaining, at, counts, cleanup } = erased;
    const later = remaining.messages.filter(({ receivedAt }) => receivedAt > at).length;
    const left = remaining.messages.length + remaining.mentions.length - later;
    return {
      isKnown,
      erased,
      later,
      tasks: isKnown ? [...tasks, ...buildPostgresCleanupTasks(cleanup)] : [],
      done: `Erased: ${describeCounts(counts) || 'nothing'}.`,
      problems: [
        ...(left > 0 ? [`${formatCount(left, 'message')} could not be erased. Repeat this.`] : []),
        ...listProblems(erased),
      ],
      ownFiles: remaining.copies.filter(({ kind }) => kind === 'unmanaged file').map(({ path }) => path),
    };
  },
  print: ({ isKnown, erased, later, tasks, done, problems, ownFiles }, { address: matcher }) => [
    isKnown
      ? `${done} An audit entry without the address remains.`
      : { error: `no data to erase for ${matcher.address}` },
    ...tasks.map(describeTask),
    later > 0 && `Received meanwhile and not erased: ${formatCount(later, 'message')}`,
    ...erased.remaining.issues.map(name => `Not changed: the newsletter issue ${name} contains the address.`),
    ...ownFiles.map(path => ({
      error: `${path} contains the address or a message, and is not changed by this command: edit or delete it yourself`,
    })),
    ...problems.map(error => ({ error })),
  ],
  json: ({ isKnown, tasks, erased }, { address: { address } }) => {
    const { isDone, cleanup: database, remaining, ...rest } = erased;
    const answer = { isKnown, isDone: isDone && isKnown, ...rest, tasks, database };
    return { address, ...answer, remaining: findingsToJson(remaining) };
  },
  exitCode: ({ isKnown, erased }) => Number(!isKnown || !erased.isDone),
});
