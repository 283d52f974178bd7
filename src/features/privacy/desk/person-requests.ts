import type { Context } from 'hono';
import { createAddressMatcher } from '../../../core/address-matcher.ts';
import type { DeskDeps } from '../../../core/desk/desk-deps.ts';
import { createHeldValues } from '../../../core/desk/held-values.ts';
import { searchPersonalData } from '../search-personal-data.ts';
import type { PrivacyDeskNeeds } from './needs.ts';
import type { CorrectionForm, OutcomeProps, PrivacyPages } from './props.ts';
import { readPerson } from './read-person.ts';

/** A request of a person. After an erasure the address is forgotten here, too. */
type PrivacyRequest = { email: string; references: string[] } | { outcome: OutcomeProps; title: string };
export type OpenRequest = Extract<PrivacyRequest, { email: string }>;

export type PrivacyDeskDeps = DeskDeps<PrivacyDeskNeeds, PrivacyPages>;
export type PersonRequests = ReturnType<typeof createPersonRequests>;

export const area = 'privacy';

export function createPersonRequests({ services, answer }: Pick<PrivacyDeskDeps, 'services' | 'answer'>) {
  const { domainDeps, config, clock, personalFields: fields } = services;
  const sections = domainDeps.personalData.flatMap(steps => steps.sections);
  const listSource = () => ({ sections, dataDir: config.dataDir, now: clock.now() });
  const held = createHeldValues<PrivacyRequest>();

  /** Requests are in memory: after a restart they begin again. */
  function findOpen(context: Context): OpenRequest | undefined {
    const request = held.get(context.req.param('id') ?? '');
    return request && 'email' in request ? request : undefined;
  }

  function search({ email, references }: OpenRequest) {
    const matcher = createAddressMatcher(email);
    if (!matcher) throw new Error('the address of this request cannot be read');
    return searchPersonalData(domainDeps, matcher, references).then(found => ({ matcher, found }));
  }

  async function show(
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

  return { held, findOpen, search, show, listSource };
}

export function backToStart(context: Context): Response {
  return context.redirect('/privacy', 303);
}
