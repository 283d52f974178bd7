import { Badge } from '../../../ui/desk/badge.tsx';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import type { TabName } from './list-filter.ts';
import type { ListedMessage } from './props.ts';
import { StateBadge } from './state-badge.tsx';

export const rowSelector = '[data-message]';

export function MessageRow({ tab, ...message }: ListedMessage & { tab: TabName }) {
  const { reference, path, sender, excerpt, service, state, received, isUndelivered, hasReport } = message;
  const isNew = state === 'new';
  return (
    <li
      className="relative grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-3 border-b border-hairline px-3 py-1.5 last:border-0 hover:bg-raised has-[:checked]:bg-raised has-[a:focus-visible]:bg-raised lg:grid-cols-[1.5rem_13rem_minmax(0,1fr)_auto] lg:items-center lg:py-0.5 xl:grid-cols-[1.5rem_15rem_minmax(0,1fr)_auto]"
      data-message={reference}
    >
      <label className="desk-target relative z-10 row-span-2 flex items-center justify-center lg:row-span-1">
        <span className="sr-only">Select {reference}</span>
        <input className="size-4 accent-(--accent)" name="reference" type="checkbox" value={reference} />
      </label>
      <a
        className={`truncate pt-1.5 after:absolute after:inset-0 lg:pt-0 ${isNew ? 'font-semibold' : ''}`}
        href={deskUrl(path)}
      >
        <bdi>{sender}</bdi>
      </a>
      <span className="pt-1.5 text-right text-sm text-muted lg:order-last lg:w-40 lg:pt-0">
        <Time {...received} />
      </span>
      <span className="col-span-2 col-start-2 flex flex-wrap items-center gap-x-2 gap-y-1 pb-1.5 text-sm lg:col-span-1 lg:col-start-auto lg:flex-nowrap lg:pb-0">
        <span className="flex shrink-0 gap-2 empty:hidden">
          {tab === 'all' ? <StateBadge state={state} /> : null}
          {isUndelivered ? <Badge tone="attention">Not delivered</Badge> : null}
          {hasReport ? <Badge>Audit</Badge> : null}
        </span>
        {service ? (
          <bdi className="max-w-48 shrink-0 truncate font-semibold text-muted">{service}</bdi>
        ) : null}
        <bdi className="line-clamp-2 basis-full text-muted lg:line-clamp-1 lg:basis-auto">{excerpt}</bdi>
      </span>
    </li>
  );
}
