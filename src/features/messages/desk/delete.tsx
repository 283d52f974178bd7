import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { RemainingTasks, TaskList } from '../../../ui/desk/task-list.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import type { DeletedProps, DeleteProps } from './props.ts';

export function DeleteMessages({ messages, tasks, unknown, query, listPath }: DeleteProps) {
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`;
  return (
    <form action={deskUrl('/messages/delete')} className="max-w-[52rem]" method="post">
      <input name="list" type="hidden" value={query} />
      {unknown > 0 ? <p className="mb-3">{unknown} of those you selected are already deleted.</p> : null}
      <ul className="max-h-96 divide-y divide-hairline overflow-y-auto rounded-field border border-hairline bg-high">
        {messages.map(({ reference, sender, excerpt, received }) => (
          <li className="px-4 py-2" key={reference}>
            <input name="reference" type="hidden" value={reference} />
            <p className="flex flex-wrap justify-between gap-x-4">
              <bdi className="truncate font-semibold">{sender}</bdi>
              <span className="text-sm text-muted">
                <Time {...received} /> <span className="ml-1.5 font-mono text-xs">{reference}</span>
              </span>
            </p>
            <p className="truncate text-sm text-muted">
              <bdi>{excerpt}</bdi>
            </p>
          </li>
        ))}
      </ul>
      <h2 className="mt-5 text-lg">What is deleted</h2>
      <p className="mt-1">
        {count} with notes and deliveries in the database, and the copies in files on this machine. This
        cannot be undone, and a backup that is restored later does not bring them back.
      </p>
      {tasks.length > 0 ? (
        <>
          <h2 className="mt-5 text-lg">What remains for you to do</h2>
          <TaskList tasks={tasks} />
        </>
      ) : null}
      <div className="mt-6 flex flex-wrap gap-2">
        <button className={buttonClass.danger} type="submit">
          Delete {count} for good
        </button>
        <a className={buttonClass.quiet} href={deskUrl(listPath)}>
          Keep
        </a>
      </div>
    </form>
  );
}

export function DeletedMessages({ count, problems, tasks, listPath }: DeletedProps) {
  return (
    <div className="max-w-[52rem]">
      <p>{count === 1 ? '1 message is' : `${count} messages are`} deleted from this site and its files.</p>
      {problems.map(text => (
        <p className="mt-3 border-l-4 border-attention pl-3" key={text}>
          {text}
        </p>
      ))}
      <RemainingTasks tasks={tasks} />
      <a className={`${buttonClass.quiet} mt-5`} href={deskUrl(listPath)}>
        Back to the list
      </a>
    </div>
  );
}
