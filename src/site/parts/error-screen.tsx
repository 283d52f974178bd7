import company from 'content:company';
import site from 'content:site';
import { useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import { isChunkError } from '../chunk-error.ts';
import { paths } from '../paths.ts';
import { buttonLook } from './button.ts';

/** Shown in place of a page that could not be had or threw. The way on is native: React may be what is broken. */
export function ErrorScreen({ isWholePage = false }: { isWholePage?: boolean }) {
  const error = useRouteError();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const { heading, chunk, lead, other, reload, contact } = site.error;
  const screen = (
    <div className="mx-auto max-w-page px-5 py-section sm:px-8" data-world="paper">
      <title>{`${heading} — ${company.name}`}</title>
      <h1 className="text-[clamp(2rem,5vw,3.4rem)]" ref={title} tabIndex={-1}>
        {heading}
      </h1>
      {isChunkError(error) ? (
        <p className="mt-6 font-mono text-sm text-attention">{chunk.replace('{name}', error.chunk)}</p>
      ) : null}
      <p className="mt-4 max-w-prose text-muted">{isChunkError(error) ? lead : other}</p>
      <div className="mt-8 flex flex-wrap items-center gap-4">
        <button className={buttonLook.primary} onClick={() => location.reload()} type="button">
          {reload}
        </button>
        <a className={buttonLook.quiet} href={paths.contact}>
          {contact}
        </a>
        <a
          className="inline-flex min-h-11 items-center underline underline-offset-4"
          href={`tel:${company.phone.replaceAll(' ', '')}`}
        >
          {company.phone}
        </a>
      </div>
    </div>
  );
  return isWholePage ? <main>{screen}</main> : screen;
}
