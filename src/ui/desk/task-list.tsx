import type { Task } from '../../core/personal-data.ts';

/** After a deletion: what only the owner can do. */
export function RemainingTasks({ tasks }: { tasks: Task[] }) {
  if (tasks.length === 0) return null;
  return (
    <section className="mt-5 rounded-card border border-edge p-5">
      <h2 className="text-lg">What remains for you to do</h2>
      <p className="text-sm text-muted">Note it down: this page is gone when the desk is closed.</p>
      <TaskList tasks={tasks} />
    </section>
  );
}

export function TaskList({ tasks }: { tasks: Task[] }) {
  return (
    <ul className="mt-2 list-disc space-y-2 pl-5">
      {tasks.map(({ where, what, references }) => (
        <li key={where + what}>
          <strong>{where}</strong>: {what}
          {references.length > 0 ? (
            <>
              : <span className="font-mono text-sm">{references.join(', ')}</span>
            </>
          ) : null}
          .
        </li>
      ))}
    </ul>
  );
}
