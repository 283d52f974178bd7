import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import type { WordsListProps } from './words-types.ts';

export function WordsList({ groups, links }: WordsListProps) {
  return (
    <div className="grid max-w-[64rem] gap-7">
      <p className="flex flex-wrap gap-2">
        {links.map(({ text, path }) => (
          <a className={buttonClass.quiet} href={deskUrl(path)} key={path}>
            {text}
          </a>
        ))}
        <a className={buttonClass.quiet} href={deskUrl('/words/images')}>
          Pictures, logo and fonts
        </a>
        <a className={buttonClass.quiet} href={deskUrl('/words/brand')}>
          Colours
        </a>
        <a className={buttonClass.quiet} href={deskUrl('/words/publish')}>
          Publish
        </a>
        <a className={buttonClass.quiet} href={deskUrl('/words/history')}>
          History and undo
        </a>
      </p>
      {groups.map(({ title, files }) => (
        <section key={title}>
          <h2 className="text-lg">{title}</h2>
          <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
            {files.map(({ file, title, about, errors }) => (
              <li className="py-2.5 sm:grid sm:grid-cols-[16rem_1fr] sm:gap-4" key={file}>
                <a
                  className="desk-target inline-flex items-center font-semibold text-accent underline sm:items-start"
                  href={deskUrl(`/words/edit?${new URLSearchParams({ file })}`)}
                >
                  {title}
                </a>
                <p className="text-sm text-muted">
                  {errors > 0 ? (
                    <>
                      <Badge tone="attention">{errors === 1 ? '1 error' : `${errors} errors`}</Badge>{' '}
                    </>
                  ) : null}
                  {about}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
