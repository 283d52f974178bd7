import * as v from 'valibot';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { readForm } from '../../../core/desk/read-form.ts';
import { createSingleFlight } from '../../../core/desk/single-flight.ts';
import type { CorrectableField, Correction } from '../../../core/personal-data.ts';
import { revealControls } from '../../../lib/control-characters.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { type CorrectionInput, createRectify, listCorrections, planCorrection } from '../actions/rectify.ts';
import {
  area,
  backToStart,
  type OpenRequest,
  type PersonRequests,
  type PrivacyDeskDeps,
} from './person-requests.ts';
import type { CorrectionForm } from './props.ts';

export function addCorrectionRoutes(
  app: DeskApp,
  { services, answer }: Pick<PrivacyDeskDeps, 'services' | 'answer'>,
  requests: PersonRequests,
): void {
  const { clock, personalFields: fields } = services;
  const rectify = createRectify(fields);
  const planErrors = createPlanErrors(fields);
  const corrections = createSingleFlight<string | CorrectionForm['errors']>();

  app.post('/privacy/:id/correct', async context => {
    const request = requests.findOpen(context);
    if (!request) return backToStart(context);
    const form = await readForm(context);
    const typed = mapFields(fields, name => form(`new-${name}`));
    const input = v.safeParse(rectify.input, {
      address: request.email,
      ...mapFields(fields, name => typed[name]?.trim() || undefined),
    });
    const showRefused = (errors: CorrectionForm['errors']) =>
      requests.show(context, request, { typed, errors }, 422);
    if (!input.success) return showRefused(describeIssues(fields, input.issues));
    const id = context.req.param('id');
    if (form('is-confirmed') === '') {
      const plan = await planCorrection(services, input.output);
      if (plan.kind !== 'ready') return showRefused(planErrors[plan.kind]);
      const effects = plan.parts.flatMap(({ effect }) =>
        effect ? [{ text: effect.desk, button: effect.button }] : [],
      );
      const messages = listCorrections(fields, plan.parts, input.output.change).map(({ time, ...line }) => ({
        ...line,
        old: revealControls(line.old),
        at: formatMoment(time, clock.now()),
      }));
      const props = { id, change: typed, fields, messages, effects };
      return answer(context, { view: 'privacy/correct', title: 'Correct this?', area, props });
    }
    const key = JSON.stringify([id, typed]);
    const done = await corrections.run(key, () => correctRequest(key, request, input.output));
    if (typeof done === 'object') return showRefused(done);
    return context.redirect(`/privacy/${done}/done`, 303);
  });

  /** Returns the id of its outcome, or why there is none. */
  async function correctRequest(key: string, request: OpenRequest, input: CorrectionInput) {
    const plan = await planCorrection(services, input);
    if (plan.kind !== 'ready') return corrections.findLast(key) ?? planErrors[plan.kind];
    const { done, problems, tasks } = await rectify.run(services, input);
    const id = requests.held.add({ email: input.change.email ?? request.email, references: [] });
    const next = { text: 'See what is stored now', path: `/privacy/${id}` };
    return requests.held.add({ outcome: { done, problems, tasks, next }, title: 'Corrected' });
  }
}

function createPlanErrors(fields: readonly CorrectableField[]) {
  const name = fields.find(({ input }) => input !== 'email')?.name ?? '';
  return {
    nothing: { [name]: `There is no message with a ${name} to correct.` },
    undeliverable: { email: 'Enter an email address, such as zoe@example.com.' },
  } satisfies Record<string, Correction>;
}

function describeIssues(
  fields: readonly CorrectableField[],
  issues: readonly v.BaseIssue<unknown>[],
): Correction {
  const find = (name: string) => issues.find(({ path }) => path?.[0]?.key === name)?.message;
  const errors = mapFields(fields, find);
  const [first] = fields;
  return Object.keys(errors).length > 0 || !first
    ? errors
    : { [first.name]: 'Enter what is right in at least one field.' };
}

function mapFields(
  fields: readonly CorrectableField[],
  get: (name: string) => string | undefined,
): Correction {
  const given = fields.map(({ name }) => [name, get(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
