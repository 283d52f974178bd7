import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { findNotice } from '../../../core/desk/answer.ts';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { createHeldValues } from '../../../core/desk/held-values.ts';
import { readForm } from '../../../core/desk/read-form.ts';
import { erase, exportList, suppress, unsuppress } from '../actions/subscribers.ts';
import {
  countSubscribers,
  readSubscriber,
  type SubscriberState,
  searchSubscribers,
} from '../read-subscribers.ts';
import { toDetails, toLine } from './describe-subscriber.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import type { NewsletterPages, SubscribersProps } from './props.ts';

const area = 'newsletter';
const perPage = 50;
const path = '/newsletter/subscribers';

const notices = {
  imported: 'Every new address gets an email that asks to confirm.',
  blocked: 'Nothing more is sent to this address.',
  confirmed: 'This address is confirmed again and receives the next issue.',
  unsubscribed:
    'Mail to this address is allowed again. It is unsubscribed: only the person can sign up again.',
  deleted: 'Mail to this address is allowed again. Nothing else is stored about it.',
  forgotten: 'The desk no longer knows what was searched for. Search again: this is the list without it.',
  erased: 'Erased. Only a code made from the address remains, so that no import adds it again.',
};

type SubscriberDeskDeps = Pick<DeskDeps<NewsletterDeskNeeds, NewsletterPages>, 'services' | 'answer'>;
type Searches = ReturnType<typeof createHeldValues<string>>;

export function addSubscriberRoutes(app: DeskApp, deps: SubscriberDeskDeps): void {
  const { services, answer } = deps;
  const { domainDeps, clock } = services;
  // Most searches are for a part of an email address, which no URL may contain.
  const searches = createHeldValues<string>();

  async function show(
    context: Context,
    block: SubscribersProps['block'] = { email: '' },
    status?: 422,
  ): Promise<Response> {
    const { req } = context;
    const state = readState(req.query('state'));
    const searchId = req.query('search') ?? '';
    const search = findSearch(context, searches);
    if (search === undefined) {
      const query = new URLSearchParams({ ...(state && { state }), done: 'forgotten' });
      return context.redirect(`${path}?${query}`, 303);
    }
    const wanted = Math.max(1, Math.trunc(Number(req.query('page'))) || 1);
    const { waiting, ...counts } = await countSubscribers(domainDeps);
    const what = { state: state || undefined, text: search };
    const { total, found } = await searchSubscribers(domainDeps, { ...what, page: wanted, perPage });
    const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
    const props: SubscribersProps = {
      state,
      search,
      searchId: search ? searchId : '',
      counts: { ...counts, '': all },
      waiting,
      total,
      page: wanted,
      pages: Math.max(1, Math.ceil(total / perPage)),
      block,
      subscribers: found.map(row => toLine(row, clock.now())),
    };
    const page = { view: 'newsletter/subscribers', title: 'Subscribers', area, props } as const;
    return answer(context, { ...page, ...findNotice(context, notices) }, status);
  }

  app.get(path, context => show(context));

  app.post(path, async context => {
    const form = await readForm(context);
    const text = form('search').trim();
    const query = new URLSearchParams({
      ...(readState(form('state')) && { state: form('state') }),
      ...(text && { search: searches.add(text) }),
    });
    return context.redirect(`${path}?${query}`, 303);
  });

  app.post(`${path}/block`, async context => {
    const email = (await readForm(context))('email').trim();
    const { kind } = await suppress.run(services, { address: email });
    if (kind === 'invalid address')
      return show(context, { email, error: 'Enter an email address, such as zoe@example.com.' }, 422);
    return context.redirect(`${path}?done=blocked`, 303);
  });

  addExportRoute(app, deps, searches);
  addOneSubscriberRoutes(app, deps);
}

/** Undefined where the search is no longer remembered. */
function findSearch({ req }: Context, searches: Pick<Searches, 'get'>): string | undefined {
  const id = req.query('search');
  return id ? searches.get(id) : '';
}

function addExportRoute(
  app: DeskApp,
  { services, answer }: SubscriberDeskDeps,
  searches: Pick<Searches, 'get'>,
): void {
  app.get(`${path}/export`, async context => {
    const state = readState(context.req.query('state')) || undefined;
    const text = findSearch(context, searches);
    if (text === undefined) {
      const link = { text: 'To the subscribers', path };
      const props = {
        text: 'The desk no longer knows what was searched for. Search again, then export.',
        link,
      };
      return answer(context, { view: 'problem', title: 'Nothing was exported', area, props }, 409);
    }
    const { parts } = await exportList.run(services, { csv: true, state, text });
    context.header('Content-Disposition', 'attachment; filename="subscribers.csv"');
    context.header('Content-Type', 'text/csv; charset=utf-8');
    return context.body(
      Readable.toWeb(Readable.from(parts).map(text => Buffer.from(text))) as ReadableStream,
    );
  });
}

function addOneSubscriberRoutes(app: DeskApp, { services, answer }: SubscriberDeskDeps): void {
  const { domainDeps, clock } = services;

  const showOne = async (context: Context, isErasing: boolean) => {
    const details = await readSubscriber(domainDeps, context.req.param('id') ?? '');
    if (!details) return context.notFound();
    const props = { ...toDetails(details, clock.now()), isErasing };
    const title = props.address ?? 'An erased address';
    const page = { view: 'newsletter/subscriber', title, area, props } as const;
    return answer(context, { ...page, ...findNotice(context, notices) });
  };

  app.get(`${path}/:id`, context => showOne(context, false));
  app.get(`${path}/:id/erase`, context => showOne(context, true));

  /** The verbs take the address; one that is no longer stored cannot be changed from here. */
  const change = (name: string, work: (address: string) => Promise<string>) =>
    app.post(`${path}/:id/${name}`, async (context: Context) => {
      const id = context.req.param('id') ?? '';
      const address = (await readSubscriber(domainDeps, id))?.subscriber.address;
      if (!address) return context.notFound();
      const done = await work(address);
      const isGone = done === 'erased' || done === 'deleted';
      return context.redirect(`${isGone ? path : `${path}/${id}`}?done=${done}`, 303);
    });

  change('block', async address => {
    await suppress.run(services, { address });
    return 'blocked';
  });
  change('allow', async address => {
    const result = await unsuppress.run(services, { address });
    return result.kind === 'unsuppressed' ? result.state : '';
  });
  change('erase', async address => {
    await erase.run(services, { address });
    return 'erased';
  });
}

const states: readonly SubscriberState[] = ['confirmed', 'pending', 'unsubscribed', 'suppressed'];

function readState(given: string | undefined): SubscriberState | '' {
  return states.find(state => state === given) ?? '';
}
