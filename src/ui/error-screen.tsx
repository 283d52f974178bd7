import { brand } from 'content:brand';
import { site } from 'content:site';
import { useEffect, useRef } from 'react';
import { useRouteError } from 'react-router';
import type { ChunkError } from './chunks.ts';
import { buttonClass } from './components/button.ts';
import { PhoneLink } from './components/contact-links.tsx';
import { Illustration } from './components/illustration.tsx';
import { paths } from './paths.ts';

export function ErrorScreen({ isWholePage = false }: { isWholePage?: boolean }) {
  const error = useRouteError();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const { heading, chunk, lead, other, reload, contact } = site.error;
  const screen = (
    <section className="hero" data-theme="ink">
      <title>{`${heading} – ${brand.name}`}</title>
      <div className="mx-auto grid max-w-page items-center gap-y-10 px-5 py-section sm:px-8 lg:grid-cols-2">
        <div>
          <h1 className="max-w-[9.5em] text-[clamp(2.2rem,5vw,3.6rem)]" ref={title} tabIndex={-1}>
            {heading}
          </h1>
          {isChunkError(error) ? (
            <p className="mt-6 font-mono text-sm text-attention">{chunk.replace('{name}', error.chunk)}</p>
          ) : null}
          <p className="mt-4 max-w-[32em] text-lg text-muted">{isChunkError(error) ? lead : other}</p>
          <div className="mt-8 flex flex-wrap items-center gap-4">
            <button className={buttonClass.primary} onClick={() => location.reload()} type="button">
              {reload}
            </button>
            <a className={buttonClass.quiet} href={paths.contact}>
              {contact}
            </a>
            <PhoneLink />
          </div>
        </div>
        <Illustration className="mx-auto w-full max-w-[34rem] text-muted" name="not-found" />
      </div>
    </section>
  );
  return isWholePage ? <main>{screen}</main> : screen;
}

/** Not in chunks.ts: a module shared with the boot script would be fetched before React is needed. */
function isChunkError(error: unknown): error is ChunkError {
  return error instanceof Error && error.name === 'ChunkError';
}
