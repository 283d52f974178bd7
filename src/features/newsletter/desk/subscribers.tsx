import { formatNumber } from '../../../lib/format-number.ts';
import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { inputClass, TextField } from '../../../ui/desk/field.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import { NewsletterTabs } from './newsletter-tabs.tsx';
import type { SubscriberLine, SubscribersProps } from './props.ts';

const path = '/newsletter/subscribers';

const states = [
  ['', 'All'],
  ['confirmed', 'Confirmed'],
  ['pending', 'Pending'],
  ['unsubscribed', 'Unsubscribed'],
  ['suppressed', 'Suppressed'],
] as const;

export const stateLabels = Object.fromEntries(states) as Record<SubscriberLine['state'], string>;

export function NewsletterSubscribers(props: SubscribersProps) {
  const { state, search, counts, waiting, total, subscribers, block } = props;
  return (
    <>
      <NewsletterTabs current="Subscribers" />
      <div className="flex flex-wrap items-end justify-between gap-3">
        <form
          action={deskUrl(path)}
          className="flex min-w-0 grow gap-2 sm:max-w-96"
          method="post"
          role="search"
        >
          <input name="state" type="hidden" value={state} />
          <input
            aria-label="Search for a part of an address"
            autoComplete="off"
            className={inputClass}
            defaultValue={search}
            key={search}
            name="search"
            placeholder="Part of an address"
            spellCheck={false}
            type="search"
          />
          <button className={buttonClass.quiet} type="submit">
            Search
          </button>
        </form>
        <div className="flex flex-wrap gap-2">
          <a className={buttonClass.quiet} href={deskUrl('/newsletter/import')}>
            Import…
          </a>
          <a
            className={buttonClass.quiet}
            download
            href={deskUrl(buildUrl(props, { page: 1, path: `${path}/export` }))}
          >
            {search ? 'Export found as CSV' : 'Export CSV'}
          </a>
        </div>
      </div>
      <nav aria-label="State" className="mt-4 flex flex-wrap gap-1">
        {states.map(([name, text]) => (
          <a
            aria-current={name === state ? 'true' : undefined}
            className="desk-target flex items-center gap-1.5 rounded-pill border border-transparent px-3 text-sm text-muted hover:text-text aria-[current]:border-edge aria-[current]:font-semibold aria-[current]:text-text"
            href={deskUrl(buildUrl(props, { state: name, page: 1 }))}
            key={name}
          >
            {text} <span className="font-normal">{formatNumber(counts[name])}</span>
          </a>
        ))}
      </nav>
      {waiting > 0 ? (
        <p className="mt-2 text-sm text-muted">
          {formatNumber(waiting)} {waiting === 1 ? 'sign-up waits' : 'sign-ups wait'} for the email that asks
          to confirm.
        </p>
      ) : null}
      <List search={search} subscribers={subscribers} />
      <Paging {...props} />
      <details className="mt-6" open={block.error !== undefined}>
        <summary className="desk-summary cursor-pointer text-sm text-muted">Stop mail to an address</summary>
        <form action={deskUrl(`${path}/block`)} className="mt-2 grid max-w-96 gap-3" method="post">
          <TextField
            autoComplete="off"
            defaultValue={block.email}
            error={block.error}
            hint="Also one that never signed up: it then never gets an issue."
            id="email"
            inputMode="email"
            label="Email address"
            spellCheck={false}
          />
          <div>
            <button className={buttonClass.danger} type="submit">
              Stop mail to it
            </button>
          </div>
        </form>
      </details>
      <p className="sr-only" role="status">
        {search ? `${formatNumber(total)} found` : ''}
      </p>
    </>
  );
}

function List({ subscribers, search }: Pick<SubscribersProps, 'subscribers' | 'search'>) {
  if (subscribers.length === 0)
    return (
      <p className="mt-5 text-muted">{search ? 'No address contains this.' : 'There is no one here yet.'}</p>
    );
  return (
    <ul className="mt-3 divide-y divide-hairline border-y border-hairline">
      {subscribers.map(({ id, address, state, reason, form, changedAt }) => (
        <li key={id}>
          <a
            className="desk-target grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-1.5 hover:text-accent md:grid-cols-[minmax(0,1fr)_10rem_8.5rem] lg:grid-cols-[minmax(0,1fr)_9rem_10rem_8.5rem]"
            href={deskUrl(`${path}/${id}`)}
          >
            <span className="truncate">{address ?? <span className="text-muted">Erased address</span>}</span>
            <span className="hidden truncate text-sm text-muted lg:block">{form}</span>
            <span className="row-start-2 text-sm text-muted md:col-start-2 md:row-start-1 lg:col-start-3">
              {changedAt ? <Time {...changedAt} /> : null}
            </span>
            <span className="row-span-2 text-right md:row-span-1 md:row-start-1 md:-col-start-2">
              <StateOf reason={reason} state={state} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function StateOf({ state, reason }: Pick<SubscriberLine, 'state' | 'reason'>) {
  return <Badge tone={tones[state]}>{reason || stateLabels[state].toLowerCase()}</Badge>;
}

const tones = {
  confirmed: 'good',
  pending: 'plain',
  unsubscribed: 'plain',
  suppressed: 'attention',
} as const;

function Paging(props: SubscribersProps) {
  const { page, pages, total } = props;
  if (pages === 1) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center gap-3 text-sm">
      {page > 1 ? (
        <a className={buttonClass.quiet} href={deskUrl(buildUrl(props, { page: page - 1 }))} rel="prev">
          Previous
        </a>
      ) : null}
      <span className="text-muted">
        Page {page} of {pages}, {formatNumber(total)} addresses
      </span>
      {page < pages ? (
        <a className={buttonClass.quiet} href={deskUrl(buildUrl(props, { page: page + 1 }))} rel="next">
          Next
        </a>
      ) : null}
    </nav>
  );
}

function buildUrl(
  { state, searchId }: SubscribersProps,
  changed: { state?: SubscribersProps['state']; page: number; path?: string },
): string {
  const shown = changed.state ?? state;
  const query = new URLSearchParams({
    ...(shown && { state: shown }),
    ...(searchId && { search: searchId }),
    ...(changed.page > 1 && { page: String(changed.page) }),
  });
  const target = changed.path ?? path;
  return query.size > 0 ? `${target}?${query}` : target;
}
