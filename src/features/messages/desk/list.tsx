import { useRef } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { useLive } from '../../../ui/desk/use-live.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { KeyboardHelp } from './keys.tsx';
import { ListFilters } from './list-filters.tsx';
import { MessageRow } from './message-row.tsx';
import type { MessageListProps } from './props.ts';
import { ReleaseForm } from './release-form.tsx';
import { stateTexts } from './state-badge.tsx';
import { useListKeys } from './use-list-keys.tsx';
import { useNewCount } from './use-new-count.tsx';

export function MessageList(props: MessageListProps) {
  const { filter, query, tabs, messages, summary, firstPath, nextPath, newCount } = props;
  useLive(5);
  useNewCount(newCount);
  const form = useRef<HTMLFormElement>(null);
  const { keys, submit } = useListKeys(form);
  return (
    <div className="max-w-[90rem]">
      <p className="sr-only" role="status">
        {newCount ? `${newCount} new` : ''}
      </p>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <Tabs state={filter.state} tabs={tabs} />
        <ListFilters {...props} />
      </div>
      {messages.length > 0 ? (
        <p className="mt-2 text-sm empty:hidden">
          <SearchAll filter={filter} tabs={tabs} />
        </p>
      ) : null}
      {messages.length === 0 ? (
        <Empty {...props} />
      ) : (
        <form
          action={deskUrl('/messages/change')}
          className="group/list mt-3 rounded-field border border-hairline bg-high"
          method="post"
          onSubmit={submit}
          ref={form}
        >
          <input name="list" type="hidden" value={query} />
          <BulkBar
            hasUndelivered={messages.some(one => one.isUndelivered)}
            state={filter.state}
            summary={summary}
          />
          <ul>
            {messages.map(message => (
              <MessageRow key={message.reference} {...message} tab={filter.state} />
            ))}
          </ul>
        </form>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
        <Paging firstPath={firstPath} nextPath={nextPath} />
        {messages.length > 0 ? <Export query={query} /> : null}
        <KeyboardHelp keys={keys} />
      </div>
      {filter.state === 'quarantined' && messages.length > 0 ? <ReleaseForm {...props} /> : null}
    </div>
  );
}

function Tabs({ state, tabs }: { state: string; tabs: MessageListProps['tabs'] }) {
  return (
    <nav aria-label="Messages by state">
      <ul className="flex flex-wrap gap-1">
        {tabs.map(({ name, path, count }) => (
          <li key={name}>
            <a
              aria-current={state === name ? 'page' : undefined}
              className="desk-target flex items-center gap-1.5 rounded-field px-3 text-sm hover:bg-raised aria-[current]:bg-text aria-[current]:text-surface"
              href={deskUrl(path)}
            >
              {stateTexts[name]}
              <span className="text-xs tabular-nums opacity-75">{count}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Empty({ filter, tabs }: MessageListProps) {
  const isFiltered = filter.search || filter.since || filter.service || filter.delivery;
  return (
    <p className="mt-6 rounded-field border border-dashed border-edge px-5 py-10 text-center text-muted">
      {isFiltered
        ? `No message matches${filter.state === 'all' ? '' : ` under ‘${stateTexts[filter.state]}’`}. `
        : filter.before
          ? 'No more messages.'
          : emptyTexts[filter.state]}
      <SearchAll filter={filter} tabs={tabs} />
    </p>
  );
}

/** A search is of the open tab: what is looked for may be under another. */
function SearchAll({ filter, tabs }: Pick<MessageListProps, 'filter' | 'tabs'>) {
  const all = tabs.find(({ name }) => name === 'all');
  if (!filter.search || filter.state === 'all' || !all) return null;
  return (
    <a className="text-accent underline" href={deskUrl(all.path)}>
      Search all states
    </a>
  );
}

const emptyTexts: Record<MessageListProps['filter']['state'], string> = {
  new: 'Nothing new. A message appears here by itself when it arrives.',
  answered: 'No message is marked as answered.',
  closed: 'No message is closed.',
  quarantined: 'Nothing is in quarantine.',
  spam: 'Nothing is marked as spam.',
  all: 'No messages yet. They appear here by themselves when visitors write through the site.',
};

function Paging({ firstPath, nextPath }: Pick<MessageListProps, 'firstPath' | 'nextPath'>) {
  if (!firstPath && !nextPath) return null;
  return (
    <nav aria-label="Pages" className="flex gap-2">
      {firstPath ? (
        <a className={buttonClass.quiet} href={deskUrl(firstPath)}>
          Newest
        </a>
      ) : null}
      {nextPath ? (
        <a className={buttonClass.quiet} href={deskUrl(nextPath)}>
          Older
        </a>
      ) : null}
    </nav>
  );
}

function Export({ query }: { query: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      Export all of these:
      {['csv', 'json'].map(format => (
        <a
          className="desk-target inline-flex items-center text-accent underline"
          download
          href={deskUrl(`/messages/export.${format}?${query}`)}
          key={format}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}
