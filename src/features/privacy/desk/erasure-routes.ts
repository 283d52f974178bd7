import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { createSingleFlight } from '../../../core/desk/single-flight.ts';
import type { Task } from '../../../core/personal-data.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { erase, listErasureTasks } from '../actions/erase.ts';
import { findUnknownReferences } from '../find-unknown-references.ts';
import { isNothingFound } from '../search-personal-data.ts';
import { listErasure } from './list-sections.ts';
import {
  area,
  backToStart,
  type OpenRequest,
  type PersonRequests,
  type PrivacyDeskDeps,
} from './person-requests.ts';

export function addErasureRoutes(
  app: DeskApp,
  { services, answer }: Pick<PrivacyDeskDeps, 'services' | 'answer'>,
  requests: PersonRequests,
): void {
  const { domainDeps } = services;
  const erasures = createSingleFlight<string>();

  app.get('/privacy/:id/erase', async context => {
    const request = requests.findOpen(context);
    if (!request) return backToStart(context);
    const { found } = await requests.search(request);
    const id = context.req.param('id');
    if (isNothingFound(found)) return context.redirect(`/privacy/${id}`, 303);
    const lists = listErasure(found, requests.listSource());
    const tasks = await listErasureTasks(domainDeps, found);
    const page = { view: 'privacy/erase', title: 'Erase this person?', area } as const;
    return answer(context, { ...page, props: { id, email: request.email, tasks, ...lists } });
  });

  app.post('/privacy/:id/erase', async context => {
    const id = context.req.param('id');
    const held = requests.held.get(id);
    if (held && 'outcome' in held) return context.redirect(`/privacy/${id}/done`, 303);
    const request = requests.findOpen(context);
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
    const { matcher: address } = await requests.search(request);
    const erased = await erase.run(services, { address, with: references });
    const problems = [...erased.problems, ...listLater(erased.later)];
    const isDone = problems.length === 0;
    const outcome = {
      done: [erased.done, recordRemains],
      problems,
      tasks: [...erased.tasks, ...listKept(erased)],
      next: isDone ? null : { text: 'Look again and repeat it', path: `/privacy/${id}/erase` },
    };
    if (isDone) requests.held.replace(id, { outcome, title: 'Erased' });
    return isDone ? id : requests.held.add({ outcome, title: 'Not everything was erased' });
  }
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
