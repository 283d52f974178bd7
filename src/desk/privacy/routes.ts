import type { Context } from 'hono';
import { createAddressMatcher } from '../../domain/privacy/address-matcher.ts';
import { findUnknownReferences } from '../../domain/privacy/erase-person.ts';
import { listErasureTasks } from '../../domain/privacy/follow-up-tasks.ts';
import { isNothingFound, searchPersonalData } from '../../domain/privacy/search-personal-data.ts';
import type { Correction } from '../../features/messages/message-fields.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { DeskApp, DeskDeps } from '../desk-deps.ts';
import { createHeldValues } from '../held-values.ts';
import { readForm } from '../read-form.ts';
import { createSingleFlight } from '../single-flight.ts';
import { correctPerson, planCorrection, readCorrection } from './correct-person.ts';
import { createExport } from './create-export.ts';
import { erase } from './erase-person.ts';
import { listErasure } from './list-sections.ts';
import type { CorrectionForm, OutcomeProps, StartProps } from './props.ts';
import { readPerson } from './read-person.ts';

/** A request of a person. After an erasure the address is forgotten here, too. */
export type PrivacyRequest =
  | { email: string; references: string[] }
  | { outcome: OutcomeProps; title: string };
type OpenRequest = Extract<PrivacyRequest, { email: string }>;

const area = 'privacy';
const noCorrection: CorrectionForm = { name: '', email: '', errors: {} };

export function addPrivacyRoutes(app: DeskApp, deps: DeskDeps): void {
  const { services, answer } = deps;
  const { domainDeps, config, clock } = services;
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
    const props = { id: context.req.param('id') ?? '', email: request.email, correction };
    const person = await readPerson(services, found);
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
    const { matcher, found } = await search(request);
    const file = await createExport(deps, matcher.address, found);
    const name = `personal-data-${clock.now().toISOString().slice(0, 10)}.json`;
    context.header('Content-Disposition', `attachment; filename="${name}"`);
    return context.body(file, 200, { 'content-type': 'application/json; charset=utf-8' });
  });

  app.post('/privacy/:id/correct', async context => {
    const request = getRequest(context);
    if (!request) return backToStart(context);
    const form = await readForm(context);
    const correction = readCorrection(form('name'), form('new-email'));
    if (!correction.change) return showPerson(context, request, correction.form, 422);
    const { change } = correction;
    const showRefused = (errors: CorrectionForm['errors']) =>
      showPerson(context, request, { ...correction.form, errors }, 422);
    const id = context.req.param('id');
    if (form('is-confirmed') === '') {
      const planned = await planCorrection(services, (await search(request)).matcher, change);
      if ('errors' in planned) return showRefused(planned.errors);
      const page = { view: 'privacy/correct', title: 'Correct this?', area } as const;
      const props = { id, change: correction.form, ...planned.props };
      return answer(context, { ...page, props });
    }
    const key = JSON.stringify([id, change]);
    const done = await corrections.run(key, () => correctRequest(key, request, change));
    if (typeof done === 'object') return showRefused(done);
    return context.redirect(`/privacy/${done}/done`, 303);
  });

  const corrections = createSingleFlight<string | CorrectionForm['errors']>();

  /** Returns the id of its outcome, or why there is none. */
  async function correctRequest(key: string, request: OpenRequest, change: Correction) {
    const { matcher } = await search(request);
    const planned = await planCorrection(services, matcher, change);
    if ('errors' in planned) return corrections.findLast(key) ?? planned.errors;
    const outcome = await correctPerson(services, matcher, planned, change);
    const next = requests.add({ email: change.email ?? request.email, references: [] });
    outcome.next = { text: 'See what is stored now', path: `/privacy/${next}` };
    return requests.add({ outcome, title: 'Corrected' });
  }

  app.get('/privacy/:id/erase', async context => {
    const request = getRequest(context);
    if (!request) return backToStart(context);
    const { found } = await search(request);
    const id = context.req.param('id');
    if (isNothingFound(found)) return context.redirect(`/privacy/${id}`, 303);
    const lists = listErasure(found, config.dataDir, clock.now());
    const tasks = await listErasureTasks(domainDeps, listCopyTargets(services), found);
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
    const { matcher } = await search(request);
    const { outcome, isDone } = await erase(services, matcher, references);
    if (!isDone) outcome.next = { text: 'Look again and repeat it', path: `/privacy/${id}/erase` };
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
