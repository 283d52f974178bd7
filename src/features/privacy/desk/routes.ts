import { join } from 'node:path';
import type { Context } from 'hono';
import * as v from 'valibot';
import { createAddressMatcher } from '../../../core/address-matcher.ts';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { createHeldValues } from '../../../core/desk/held-values.ts';
import { readForm } from '../../../core/desk/read-form.ts';
import { createSingleFlight } from '../../../core/desk/single-flight.ts';
import type { CorrectableField, Correction, Task } from '../../../core/personal-data.ts';
import { revealControls } from '../../../lib/control-characters.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { erase, listErasureTasks } from '../actions/erase.ts';
import { exportData } from '../actions/find-person.ts';
import { type CorrectionInput, createRectify, listCorrections, planCorrection } from '../actions/rectify.ts';
import { findUnknownReferences } from '../find-unknown-references.ts';
import { isNothingFound, searchPersonalData } from '../search-personal-data.ts';
import { listErasure } from './list-sections.ts';
import type { PrivacyDeskNeeds } from './needs.ts';
import type { CorrectionForm, OutcomeProps, PrivacyPages, StartProps } from './props.ts';
import { readPerson } from './read-person.ts';

/** A request of a person. After an erasure the address is forgotten here, too. */
export type PrivacyRequest =
  | { email: string; references: string[] }
  | { outcome: OutcomeProps; title: string };
type OpenRequest = Extract<PrivacyRequest, { email: string }>;

const area = 'privacy';
const noCorrection: CorrectionForm = { typed: {}, errors: {} };

export function addPrivacyRoutes(app: DeskApp, deps: DeskDeps<PrivacyDeskNeeds, PrivacyPages>): void {
  const { services, answer } = deps;
  const { domainDeps, config, clock, personalFields: fields } = services;
  const rectify = createRectify(fields);
  const planErrors = createPlanErrors(fields);
  const sections = domainDeps.personalData.flatMap(steps => steps.sections);
  const listSource = () => ({ sections, dataDir: config.dataDir, now: clock.now() });
  const requests = createHeldValues<PrivacyRequest>();

  function start(context: Context, props: StartProps): Response {
    const status = Object.keys(props.errors).length > 0 ? 422 : 200;
    return answer(context, { view: 'privacy/start', title: 'Privacy requests', area, props }, status);
  }

  /** Requests are in memory: after a restart they begin again. */
  function getRequest(context: Context): OpenRequest | undefined {
    const request = requests.get(context.req.param('id') ?? '');
    return request && 'email' in request ? request : undefined;
  }

  function search({ email, references }: OpenRequest) {
    const matcher = createAddressMatcher(email);
    if (!matcher) throw new Error('the address of this request cannot be read');
    return searchPersonalData(domainDeps, matcher, references).then(found => ({ matcher, found }));
  }

  async function showPerson(
    context: Context,
    request: OpenRequest,
    correction: CorrectionForm,
    status?: 422,
  ): Promise<Response> {
    const { found } = await search(request);
    const props = { id: context.req.param('id') ?? '', email: request.email, correction, fields };
    const person = await readPerson(found, listSource());
    const page = { view: 'privacy/person', title: 'What is stored', area } as const;
    return answer(context, { ...page, props: { ...props, ...person } }, status);
  }

  const backToStart = (context: Context) => context.redirect('/privacy', 303);

  app.get('/privacy', context => start(context, { errors: {} }));

  /** From a message: the identity of the person has to be verified first. */
  app.post('/privacy/start', async context => {
    const email = (await readForm(context))('email');
    return start(context, { email, errors: {} });
  });

  app.post('/privacy', async context => {
    const form = await readForm(context);
    const email = form('email').trim();
    const references =
      form('references')
        .toUpperCase()
        .match(/[^\s,;]+/g) ?? [];
    const unknown = await findUnknownReferences(domainDeps, references);
    const errors = {
      ...(!createAddressMatcher(email) && { email: 'Enter an email address, such as zoe@example.com.' }),
      ...(unknown.length > 0 && { references: `There is no message ${unknown.join(', ')}.` }),
    };
    if (Object.keys(errors).length > 0)
      return start(context, { email, references: form('references'), errors });
    return context.redirect(`/privacy/${requests.add({ email, references })}`, 303);
  });

  app.get('/privacy/:id', async context => {
    const request = getRequest(context);
    return request ? showPerson(context, request, noCorrection) : backToStart(context);
  });

  app.post('/privacy/:id/export', async context => {
    const request = getRequest(context);
    if (!request) return backToStart(context);
    const { matcher: address } = await search(request);
    const content = join(deps.root, 'content');
    const { parts } = await exportData.run(services, { address, file: '-', force: false, content });
    const file = (await Array.fromAsync(parts)).join('');
    const name = `personal-data-${clock.now().toISOString().slice(0, 10)}.json`;
    context.header('Content-Disposition', `attachment; filename="${name}"`);
    return context.body(file, 200, { 'content-type': 'application/json; charset=utf-8' });
  });

  app.post('/privacy/:id/correct', async context => {
    const request = getRequest(context);
    if (!request) return backToStart(context);
    const form = await readForm(context);
    const typed = mapFields(fields, name => form(`new-${name}`));
    const input = v.safeParse(rectify.input, {
      address: request.email,
      ...mapFields(fields, name => typed[name]?.trim() || undefined),
    });
    const showRefused = (errors: CorrectionForm['errors']) =>
      showPerson(context, request, { typed, errors }, 422);
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

  const corrections = createSingleFlight<string | CorrectionForm['errors']>();

  /** Returns the id of its outcome, or why there is none. */
  async function correctRequest(key: string, request: OpenRequest, input: CorrectionInput) {
    const plan = await planCorrection(services, input);
    if (plan.kind !== 'ready') return corrections.findLast(key) ?? planErrors[plan.kind];
    const { done, problems, tasks } = await rectify.run(services, input);
    const id = requests.add({ email: input.change.email ?? request.email, references: [] });
    const next = { text: 'See what is stored now', path: `/privacy/${id}` };
    return requests.add({ outcome: { done, problems, tasks, next }, title: 'Corrected' });
  }

  app.get('/privacy/:id/erase', async context => {
    const request = getRequest(context);
    if (!request) return backToStart(context);
    const { found } = await search(request);
    const id = context.req.param('id');
    if (isNothingFound(found)) return context.redirect(`/privacy/${id}`, 303);
    const lists = listErasure(found, listSource());
    const tasks = await listErasureTasks(domainDeps, found);
    const page = { view: 'privacy/erase', title: 'Erase this person?', area } as const;
    return answer(context, { ...page, props: { id, email: request.email, tasks, ...lists } });
  });

  const erasures = createSingleFlight<string>();

  app.post('/privacy/:id/erase', async context => {
    const id = context.req.param('id');
    const held = requests.get(id);
    if (held && 'outcome' in held) return context.redirect(`/privacy/${id}/done`, 303);
    const request = getRequest(context);
    if (!request) return backToStart(context);
    const { with: chosen = [] } = await context.req.parseBody({ all: true });
    const also = [chosen].flat().filter(one => typeof one === 'string');
    const done = await erasures.run(id, () => eraseRequest(id, request, also));
    return context.redirect(`/privacy/${done}/done`, 303);
  });

  /** Returns the id of its outcome. */
  async function eraseRequest(id: string, request: OpenRequest, also: string[]): Promise<string> {
    const unknown = await findUnknownReferences(domainDeps, also);
    const references = [...request.references, ...also.filter(one => !unknown.includes(one))];
    const { matcher: address } = await search(request);
    const erased = await erase.run(services, { address, with: references });
    const problems = [...erased.problems, ...listLater(erased.later)];
    const isDone = problems.length === 0;
    const outcome = {
      done: [erased.done, recordRemains],
      problems,
      tasks: [...erased.tasks, ...listKept(erased)],
      next: isDone ? null : { text: 'Look again and repeat it', path: `/privacy/${id}/erase` },
    };
    if (isDone) requests.replace(id, { outcome, title: 'Erased' });
    return isDone ? id : requests.add({ outcome, title: 'Not everything was erased' });
  }

  app.get('/privacy/:id/done', context => {
    const request = requests.get(context.req.param('id'));
    if (!request || !('outcome' in request)) return backToStart(context);
    const { title, outcome } = request;
    return answer(context, { view: 'privacy/outcome', title, area, props: outcome });
  });
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

const recordRemains =
  'A record of the erasure remains, without the address, so that a restored backup is erased again.';

function listLater(later: number): string[] {
  return later > 0 ? [`Received meanwhile, and not erased: ${formatCount(later, 'message')}.`] : [];
}

/** What holds the address, and was not changed. */
function listKept({ ownFiles, kept }: Awaited<ReturnType<typeof erase.run>>): Task[] {
  const inFile = 'this file of yours contains the address or a message: edit or delete it';
  const inText = 'it contains the address, and was kept as it was sent';
  return [
    ...ownFiles.map(where => ({ where, what: inFile, references: [] })),
    ...kept.map(where => ({ where, what: inText, references: [] })),
  ];
}
