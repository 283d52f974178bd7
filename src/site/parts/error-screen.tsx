import company from 'content:company';
import site from 'content:site';
import { useEffect, useRef } from 'react';
import { isChunkError } from '../chunk-error.ts';
import { paths } from '../paths.ts';
import { Art } from './art.tsx';
import { buttonLook } from './button.ts';
import { Phone } from './phone.tsx';

type ErrorScreenProps = { error: unknown; isWholePage?: boolean | undefined };

/** Shown in place of a page that could not be had or threw. The way on is native: React may be what is broken. */
export function ErrorScreen({ error, isWholePage = false }: ErrorScreenProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const { heading, chunk, lead, other, reload, contact } = site.error;
  const screen = (
    <section className="hero" data-world="ink">
      <title>{`${heading} — ${company.name}`}</title>
      <div className="mx-auto grid max-w-page items-center gap-y-10 px-5 py-section sm:px-8 lg:grid-cols-2">
        <div>
          <h1 className="max-w-[14ch] text-[clamp(2.2rem,5vw,3.6rem)]" ref={title} tabIndex={-1}>
            {heading}
          </h1>
          {isChunkError(error) ? (
            <p className="mt-6 font-mono text-sm text-attention">{chunk.replace('{name}', error.chunk)}</p>
          ) : null}
          <p className="mt-4 max-w-[48ch] text-lg text-muted">{isChunkError(error) ? lead : other}</p>
          <div className="mt-8 flex flex-wrap items-center gap-4">
            <button className={buttonLook.primary} onClick={() => location.reload()} type="button">
              {reload}
            </button>
            <a className={buttonLook.quiet} href={paths.contact}>
              {contact}
            </a>
            <Phone />
          </div>
        </div>
        <Art className="mx-auto w-full max-w-[34rem] text-muted" name="not-found" />
      </div>
    </section>
  );
  return isWholePage ? <main>{screen}</main> : screen;
}
