import type { ProblemProps } from '../../../core/desk/page.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';

export function Problem({ text, link, typed = [] }: ProblemProps) {
  return (
    <div className="max-w-[40em]">
      <p>{text}</p>
      {link ? (
        <p className="mt-3">
          <a className="text-accent underline" href={deskUrl(link.path)}>
            {link.text}
          </a>
        </p>
      ) : null}
      {typed.length > 0 ? <h2 className="mt-5 text-base">What you typed</h2> : null}
      {typed.map(text => (
        <p
          className="mt-2 border-l-2 border-edge pl-3 whitespace-pre-wrap [overflow-wrap:anywhere]"
          key={text}
        >
          {text}
        </p>
      ))}
    </div>
  );
}
