import type { ProblemProps } from '../pages.ts';

export function Problem({ text, link }: ProblemProps) {
  return (
    <div className="max-w-[40em]">
      <p>{text}</p>
      {link ? (
        <p className="mt-3">
          <a className="text-accent underline" href={link.path}>
            {link.text}
          </a>
        </p>
      ) : null}
    </div>
  );
}
