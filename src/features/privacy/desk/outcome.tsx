import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { RemainingTasks } from '../../../ui/desk/task-list.tsx';
import type { OutcomeProps } from './props.ts';

export function PrivacyOutcome({ done, problems, tasks, next }: OutcomeProps) {
  return (
    <div className="max-w-[52rem]">
      {done.map(text => (
        <p className="mt-1" key={text}>
          {text}
        </p>
      ))}
      {problems.length > 0 ? (
        <section className="mt-5 rounded-card border border-attention p-5">
          <h2 className="text-lg">Not complete</h2>
          <ul className="mt-2 list-disc space-y-2 pl-5">
            {problems.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      ) : null}
      <RemainingTasks tasks={tasks} />
      <p className="mt-5 flex flex-wrap gap-x-5 gap-y-2">
        {next ? (
          <a className="text-accent underline" href={deskUrl(next.path)}>
            {next.text}
          </a>
        ) : null}
        <a className="text-accent underline" href={deskUrl('/privacy')}>
          Next request
        </a>
      </p>
    </div>
  );
}
