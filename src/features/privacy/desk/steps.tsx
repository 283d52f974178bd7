const steps = ['Find', 'Export or correct', 'Erase'];

export function Steps({ current }: { current: number }) {
  return (
    <ol className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {steps.map((text, index) => (
        <li
          aria-current={index + 1 === current ? 'step' : undefined}
          className="flex items-center gap-2 text-muted aria-[current]:font-semibold aria-[current]:text-text"
          key={text}
        >
          <span
            className={`inline-flex size-6 items-center justify-center rounded-pill border text-xs ${index + 1 === current ? 'border-accent bg-accent text-on-accent' : 'border-edge'}`}
          >
            {index + 1}
          </span>
          {text}
        </li>
      ))}
    </ol>
  );
}
