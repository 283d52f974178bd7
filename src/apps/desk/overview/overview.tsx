import type { OverviewTask, Waiting } from '../../../core/desk/desk-area.ts';
import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Section } from '../../../ui/desk/section.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import { useLive } from '../../../ui/desk/use-live.tsx';
import type { OverviewProps } from './read-overview.ts';

type WaitingLineProps = Waiting['newest'][number];

const refreshSeconds = 15;

export function Overview({ waiting, tasks }: OverviewProps) {
  useLive(refreshSeconds);
  return (
    <div className="max-w-[64rem]">
      {waiting.map(({ id, title, link, newest, none }) => (
        <Section
          aside={
            link ? (
              <a className={buttonClass.primary} href={deskUrl(link.path)}>
                {link.text}
              </a>
            ) : null
          }
          id={id}
          key={id}
          title={title}
        >
          {newest.length > 0 ? (
            <ul className="divide-y divide-hairline rounded-field border border-hairline bg-raised">
              {newest.map(line => (
                <WaitingLine key={line.path} {...line} />
              ))}
            </ul>
          ) : (
            <p className="text-muted">{none}</p>
          )}
        </Section>
      ))}
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

function WaitingLine({ path, name, about, start, received }: WaitingLineProps) {
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
