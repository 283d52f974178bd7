import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { TaskList } from '../../../ui/desk/task-list.tsx';
import { Finding, FindingSections } from './finding-list.tsx';
import type { EraseProps } from './props.ts';
import { Steps } from './steps.tsx';

export function PrivacyErase({ id, email, erased, mentions, kept, tasks }: EraseProps) {
  return (
    <div className="max-w-[52rem]">
      <Steps current={3} />
      <p className="mt-5 text-lg font-semibold break-all">{email}</p>
      <p>All of this is erased for good, in the database and in the files on this machine.</p>
      <FindingSections sections={erased} />
      <form action={deskUrl(`/privacy/${id}/erase`)} method="post">
        {mentions.length > 0 ? <Mentions mentions={mentions} /> : null}
        {kept.length > 0 ? (
          <div className="mt-8 border-t border-edge">
            <h2 className="mt-4 text-lg">Stays as it is</h2>
            <FindingSections sections={kept} />
          </div>
        ) : null}
        {tasks.length > 0 ? (
          <section className="mt-8 rounded-card border border-attention p-5">
            <h2 className="text-lg">What remains for you to do</h2>
            <TaskList tasks={tasks} />
          </section>
        ) : null}
        <div className="mt-6 flex flex-wrap gap-3">
          <button className={buttonClass.danger} type="submit">
            Erase for good
          </button>
          <a className={buttonClass.quiet} href={deskUrl(`/privacy/${id}`)}>
            Erase nothing
          </a>
        </div>
      </form>
    </div>
  );
}

function Mentions({ mentions }: Pick<EraseProps, 'mentions'>) {
  return (
    <fieldset className="mt-6">
      <legend className="font-semibold">
        Messages from other people <span className="font-normal text-muted">({mentions.length})</span>
      </legend>
      <p className="text-sm text-muted">
        In these the address is replaced by [erased], and the rest is kept. Tick a message to erase it whole.
      </p>
      <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
        {mentions.map(line => (
          <li key={line.reference}>
            <label className="desk-target flex items-start gap-3 py-2">
              <input
                className="mt-1 size-4 shrink-0 accent-(--accent)"
                name="with"
                type="checkbox"
                value={line.reference}
              />
              <span className="min-w-0 grow">
                <Finding {...line} />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
