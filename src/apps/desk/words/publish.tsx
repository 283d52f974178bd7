import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import { useLive } from '../../../ui/desk/use-live.tsx';
import type { PublishError, PublishProps } from './words-types.ts';

export function Publish(props: PublishProps) {
  const { files, reason, errors, isFirst, publish } = props;
  const isRunning = publish.state === 'running';
  const told = publish.state === 'failed' ? publish.errors.map(getKey) : [];
  const open = errors.filter(error => !told.includes(getKey(error)));
  const isCurrent = !isFirst && files.length === 0 && !reason;
  useLive(1, isRunning);
  return (
    <div className="grid max-w-[46rem] gap-6">
      <Outcome {...props} />
      {isRunning ? null : (
        <section aria-labelledby="changes" className="grid gap-3">
          <h2 className="text-lg" id="changes">
            {isCurrent ? 'Everything is published' : 'Not published yet'}
          </h2>
          {isCurrent ? <p>Visitors see the words and pictures as they are now.</p> : null}
          {isFirst ? <p>The site was never published on this machine.</p> : null}
          {reason ? <p>Also: {reason}.</p> : null}
          {files.length > 0 ? (
            <ul className="divide-y divide-hairline border-y border-hairline">
              {files.map(({ file, change }) => (
                <li className="flex flex-wrap justify-between gap-x-4 py-1.5" key={file}>
                  <span>{file}</span>
                  <span className="text-sm text-muted">{change}</span>
                </li>
              ))}
            </ul>
          ) : null}
          {open.length > 0 ? <ErrorList errors={open} title="These have to be corrected first" /> : null}
          <form action={deskUrl('/words/publish')} method="post">
            <button className={isCurrent ? buttonClass.quiet : buttonClass.primary} type="submit">
              {isCurrent ? 'Publish again' : 'Publish'}
            </button>
          </form>
          <p className="text-sm text-muted">
            It takes up to half a minute. If something is wrong, the site stays as it is.
          </p>
        </section>
      )}
    </div>
  );
}

function Outcome({ publish, ...site }: PublishProps) {
  if (publish.state === 'idle') return null;
  if (publish.state === 'running')
    return (
      <section aria-live="polite">
        <h2 className="text-lg">Publishing…</h2>
        <ol className="mt-2 grid gap-1">
          {publish.steps.map(({ text, state }) => (
            <li className={stepClass[state]} key={text}>
              {text}
              <span className="text-sm">{stepText[state]}</span>
            </li>
          ))}
        </ol>
        <noscript>
          <p className="mt-3">
            <a className="text-accent underline" href={deskUrl('/words/publish')}>
              Look again
            </a>
          </p>
        </noscript>
      </section>
    );
  if (publish.state === 'published')
    return (
      <div className="rounded-field border-l-4 border-accent bg-raised px-4 py-3" role="status">
        <p className="font-semibold">
          Published in {publish.seconds} s, <Time {...publish.at} />.
        </p>
        <SiteLink {...site} />
        {publish.warnings.length > 0 ? (
          <ul className="mt-2 list-disc pl-5 text-sm">
            {publish.warnings.map(warning => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        ) : null}
      </div>
    );
  return (
    <div className="rounded-field border-l-4 border-attention bg-raised px-4 py-3" role="alert">
      {publish.isBusy ? (
        <p className="font-semibold">
          Another publish was running. Try again when it has finished, in half a minute.
        </p>
      ) : (
        <ErrorList errors={publish.errors} title="Not published: the site is as it was" />
      )}
      <p className="mt-1 text-sm text-muted">
        <Time {...publish.at} />
      </p>
    </div>
  );
}

function SiteLink({ siteUrl, isSiteLocal, isSiteRunning }: Omit<PublishProps, 'publish'>) {
  if (isSiteLocal && !isSiteRunning)
    return <p className="mt-1">The site is not running. It shows the changes once it is started.</p>;
  return (
    <p className="mt-1">
      A running site shows it within seconds.{' '}
      <a className="text-accent underline" href={siteUrl}>
        Open the site
      </a>
      {isSiteLocal ? ` (${siteUrl}, which only a browser on the machine of the site can open)` : ''}
    </p>
  );
}

function getKey({ text, editor }: PublishError): string {
  return `${editor?.file} ${text}`;
}

function ErrorList({ errors, title }: { errors: PublishError[]; title: string }) {
  return (
    <div>
      <p className="font-semibold text-attention">{title}</p>
      <ul className="mt-1 list-disc pl-5">
        {errors.map(error => (
          <li key={getKey(error)}>
            {error.editor ? (
              <a className="text-accent underline" href={deskUrl(error.editor.path)}>
                {error.editor.file}
              </a>
            ) : null}
            {error.editor ? ': ' : ''}
            {error.text}
          </li>
        ))}
      </ul>
    </div>
  );
}

const stepClass = {
  done: 'flex justify-between gap-4 text-text',
  running: 'flex justify-between gap-4 font-semibold text-accent',
  waiting: 'flex justify-between gap-4 text-muted',
};
const stepText = { done: 'done', running: 'now', waiting: '' };
