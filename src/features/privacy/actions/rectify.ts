import * as v from 'valibot';
import { actionsNeeding, type DepsOf, field, optional, Refusal, reference } from '../../../core/action.ts';
import { createAddressMatcher } from '../../../core/address-matcher.ts';
import { describeTask, longRead } from '../../../core/follow-up-tasks.ts';
import type { CorrectableField, Correction, CorrectionPlan } from '../../../core/personal-data.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { planRectification, rectifyPerson } from '../rectify-person.ts';
import { address } from './find-person.ts';

type PlanNeeds = { domainDeps: DepsOf<typeof planRectification> };

const defineAction = actionsNeeding<PlanNeeds & { domainDeps: DepsOf<typeof rectifyPerson> }>();

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

function createCorrectionField({ name, label, input }: CorrectableField) {
  return input === 'email'
    ? field(`--${name} <address>`, 'new address; the newsletter asks it to confirm', correctedAddress)
    : field(`--${name} <text>`, `new ${label.toLowerCase()}`, correctedText);
}

const target = { address, reference: optional('--reference <reference>', 'only in this message', reference) };

export type CorrectionInput = v.InferOutput<v.ObjectSchema<typeof target, undefined>> & {
  change: Correction;
};

/** With an option for each field that can be corrected. */
function createInput(fields: readonly CorrectableField[]) {
  const { address, reference } = target;
  const options = fields.map(each => [each.name, createCorrectionField(each)] as const);
  const entries = { address, ...Object.fromEntries(options), reference };
  return v.pipe(
    v.object(entries),
    v.transform(({ address, reference, ...change }): CorrectionInput => ({ address, reference, change })),
    v.check(
      ({ change }) => Object.values(change).some(value => value !== undefined),
      `rectify requires ${fields.map(({ name }) => `--${name}`).join(' or ')}`,
    ),
  );
}

export function planCorrection(
  { domainDeps }: PlanNeeds,
  { address: matcher, reference, change }: CorrectionInput,
) {
  return planRectification(domainDeps, matcher, { change, reference });
}

async function planOrRefuse(services: PlanNeeds, input: CorrectionInput): Promise<CorrectionPlan[]> {
  const plan = await planCorrection(services, input);
  if (plan.kind === 'ready') return plan.parts;
  const { address: matcher, reference, change } = input;
  if (plan.kind === 'undeliverable')
    throw new Refusal(`'${change.email}' is not a valid email address. Nothing was changed.`);
  throw new Refusal(
    reference === undefined
      ? `no data to change for ${matcher.address}`
      : `${reference} is not a message of ${matcher.address}`,
  );
}

export function createRectify(fields: readonly CorrectableField[]) {
  return defineAction({
    name: 'rectify',
    about: 'correct a name or address in the database and local copies',
    examples: ['zoe@example.com --name "Zoe Adams"', 'zoe@example.com --email zoe.adams@example.com'],
    input: createInput(fields),
    async confirm(services, input) {
      const parts = await planOrRefuse(services, input);
      const lines = listCorrections(fields, parts, input.change);
      return {
        shows: [
          lines,
          `${formatCount(lines.length, 'message')} to change`,
          ...parts.map(({ effect }) => effect?.command),
        ],
        text: 'Change them?',
        otherwise: 'Nothing was changed',
      };
    },
    /** Planned again: a delivery may have been made while the question was open. */
    async run(services, input) {
      const parts = await planOrRefuse(services, input);
      const { cleanup, json, done, tasks } = await rectifyPerson(services.domainDeps, input.address, parts);
      return {
        change: input.change,
        changed: json,
        done: done.length > 0 ? done : ['Corrected: nothing.'],
        problems: cleanup.kind === 'sqlite' && !cleanup.isClean ? [longRead] : [],
        tasks,
      };
    },
    print: ({ done, tasks, problems }) => [...done, ...tasks.map(describeTask), ...problems],
    json: ({ change, changed, tasks }, { address: { address } }) => ({ address, change, ...changed, tasks }),
  });
}

export function listCorrections(
  fields: readonly CorrectableField[],
  parts: readonly CorrectionPlan[],
  given: Correction,
) {
  const join = (values: Correction) =>
    fields
      .flatMap(({ name }) => (given[name] === undefined ? [] : (values[name] ?? [])))
      .filter(Boolean)
      .join(', ');
  return parts
    .flatMap(({ lines }) => lines)
    .map(({ reference, time, old }) => ({ reference, time, old: join(old), new: join(given) }));
}
