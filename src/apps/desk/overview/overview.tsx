import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Section } from '../../../ui/desk/section.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import { useLive } from '../../../ui/desk/use-live.tsx';
import type { readOverview } from './read-overview.ts';

export type OverviewProps = Awaited<ReturnType<typeof readOverview>>;
type NewMessage = NonNullable<OverviewProps['messages']>['newest'][number];
type OverviewTask = OverviewProps['tasks'][number];

const refreshSeconds = 15;

export function Overview({ messages, tasks }: OverviewProps) {
  useLive(refreshSeconds);
  return (
    <div className="max-w-[64rem]">
      <Section
        aside={
          messages ? (
            <a className={buttonClass.primary} href={deskUrl('/messages?state=new')}>
              Open all
            </a>
          ) : null
        }
        id="messages"
        title={messages ? `New messages: ${messages.total}` : 'New messages'}
      >
        {messages ? (
          <ul className="divide-y divide-hairline rounded-field border border-hairline bg-raised">
            {messages.newest.map(message => (
              <NewMessageLine key={message.path} {...message} />
            ))}
          </ul>
        ) : (
          <p className="text-muted">No message waits for an answer.</p>
        )}
      </Section>
      <Section id="tasks" title="To do">
        {tasks.length > 0 ? (
          <ul className="divide-y divide-hairline rounded-field border border-hairline bg-raised">
            {tasks.map(task => (
              <TaskLine key={task.title} {...task} />
            ))}
          </ul>
        ) : (
          <p className="text-muted">
            Nothing: all is delivered, published, backed up and ready for visitors.
          </p>
        )}
      </Section>
    </div>
  );
}

function NewMessageLine({ path, name, about, start, received }: NewMessage) {
  return (
    <li>
      <a className="desk-target block px-4 py-2.5 hover:bg-high" href={deskUrl(path)}>
        <span className="flex flex-wrap items-baseline justify-between gap-x-4">
          <bdi className="font-semibold wrap-anywhere">{name}</bdi>
          <span className="text-sm text-muted">
            <Time {...received} />
          </span>
        </span>
        <span className="line-clamp-2 text-sm wrap-anywhere">
          {about ? (
            <span className="text-muted">
              <bdi>{about}</bdi>:{' '}
            </span>
          ) : null}
          <bdi>{start}</bdi>
        </span>
      </a>
    </li>
  );
}

function TaskLine({ title, text, link, path, isUrgent }: OverviewTask) {
  return (
    <li className="gap-x-6 px-4 py-3 sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div>
        <h3 className="font-semibold">
          {title} {isUrgent ? <Badge tone="attention">Important</Badge> : null}
        </h3>
        <p className="text-sm text-muted">{text}</p>
      </div>
      <p className="mt-2 sm:mt-0">
        <a className={buttonClass.quiet} href={deskUrl(path)}>
          {link}
        </a>
      </p>
    </li>
  );
}
