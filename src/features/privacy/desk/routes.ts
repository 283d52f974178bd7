import { join } from 'node:path';
import type { Context } from 'hono';
import { createAddressMatcher } from '../../../core/address-matcher.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { readForm } from '../../../core/desk/read-form.ts';
import { exportData } from '../actions/find-person.ts';
import { findUnknownReferences } from '../find-unknown-references.ts';
import { addCorrectionRoutes } from './correction-routes.ts';
import { addErasureRoutes } from './erasure-routes.ts';
import { area, backToStart, createPersonRequests, type PrivacyDeskDeps } from './person-requests.ts';
import type { CorrectionForm, StartProps } from './props.ts';

const noCorrection: CorrectionForm = { typed: {}, errors: {} };

export function addPrivacyRoutes(app: DeskApp, deps: PrivacyDeskDeps): void {
  const { services, answer } = deps;
  const { domainDeps, clock } = services;
  const requests = createPersonRequests(deps);

  function start(context: Context, props: StartProps): Response {
    const status = Object.keys(props.errors).length > 0 ? 422 : 200;
    return answer(context, { view: 'privacy/start', title: 'Privacy requests', area, props }, status);
  }

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
    return context.redirect(`/privacy/${requests.held.add({ email, references })}`, 303);
  });

  app.get('/privacy/:id', async context => {
    const request = requests.findOpen(context);
    return request ? requests.show(context, request, noCorrection) : backToStart(context);
  });

  app.post('/privacy/:id/export', async context => {
    const request = requests.findOpen(context);
    if (!request) return backToStart(context);
    const { matcher: address } = await requests.search(request);
    const content = join(deps.root, 'content');
    const { parts } = await exportData.run(services, { address, file: '-', force: false, content });
    const file = (await Array.fromAsync(parts)).join('');
    const name = `personal-data-${clock.now().toISOString().slice(0, 10)}.json`;
    context.header('Content-Disposition', `attachment; filename="${name}"`);
    return context.body(file, 200, { 'content-type': 'application/json; charset=utf-8' });
  });

  app.get('/privacy/:id/done', context => {
    const request = requests.held.get(context.req.param('id'));
    if (!request || !('outcome' in request)) return backToStart(context);
    const { title, outcome } = request;
    return answer(context, { view: 'privacy/outcome', title, area, props: outcome });
  });

  addCorrectionRoutes(app, deps, requests);
  addErasureRoutes(app, deps, requests);
}
