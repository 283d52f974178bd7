import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import type { HistoryEntry, HistoryProps } from './words-types.ts';

export function History({ changes, hasOlder, usesGit, copies }: HistoryProps) {
  return (
    <div className="max-w-[64rem]">
      <p>
        <a className="text-accent underline" href={deskUrl('/words')}>
          All words and pictures
        </a>
      </p>
      <p className="mt-3 max-w-[44em] text-muted">
        {usesGit
          ? 'A save here is a commit of its file in your git repository. Where git refuses it, a copy of the file as it was is kept instead.'
          : 'Every save here keeps a copy of the file as it was. The last 300 are kept.'}{' '}
        Undo takes back one save and leaves what was changed elsewhere.
      </p>
      {usesGit && copies > 0 ? (
        <p className="mt-2 max-w-[44em] text-muted">
          {copies === 1 ? 'One of these saves is a copy' : `${copies} of these saves are copies`}, because git
          made no commit. It needs a name and an email address in its settings (user.name, user.email), and no
          unfinished merge.
        </p>
      ) : null}
      {changes.length === 0 ? (
        <p className="mt-5">Nothing has been saved here yet.</p>
      ) : (
        <ol className="mt-5 divide-y divide-hairline border-y border-hairline">
          {changes.map(change => (
            <Change key={change.id} {...change} />
          ))}
        </ol>
      )}
      {hasOlder ? (
        <p className="mt-5">
          <a className="text-accent underline" href={deskUrl(`/words/history?count=${changes.length + 60}`)}>
            Show older changes
          </a>
        </p>
      ) : null}
    </div>
  );
}

function Change({ id, at, summary, files }: HistoryEntry) {
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <span className="font-semibold">{summary}</span>
          <span className="block text-sm text-muted">
            <Time {...at} />
          </span>
        </p>
        <form action={deskUrl('/words/undo')} method="post">
          <input name="id" type="hidden" value={id} />
          <button aria-label={`Undo: ${summary}`} className={buttonClass.quiet} type="submit">
            Undo
          </button>
        </form>
      </div>
      {files.map(({ file, title, lines, isBinary, left }) => (
        <details className="mt-2" key={file}>
          <summary className="desk-target flex cursor-pointer items-center text-sm text-accent underline">
            What changed in {title}
          </summary>
          {isBinary ? (
            <p className="text-sm text-muted">This is not a text, so it cannot be compared.</p>
          ) : null}
          <Lines lines={lines} />
          {left > 0 ? <p className="mt-1 text-sm text-muted">and {left} more lines</p> : null}
        </details>
      ))}
    </li>
  );
}

function Lines({ lines }: Pick<HistoryEntry['files'][number], 'lines'>) {
  if (lines.length === 0) return null;
  return (
    <ul className="overflow-x-auto rounded-field border border-hairline bg-raised py-2 font-mono text-sm">
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change never move
        <li className={`px-3 whitespace-pre-wrap ${lineClass[kind]}`} key={index}>
          <span aria-hidden="true">{lineMark[kind]} </span>
          <span className="sr-only">{lineName[kind]} </span>
          {text || ' '}
        </li>
      ))}
    </ul>
  );
}

const lineMark = { same: ' ', removed: '−', added: '+' };
const lineName = { same: '', removed: 'Removed:', added: 'Added:' };
const lineClass = {
  same: 'text-muted',
  removed: 'text-attention line-through',
  added: 'text-accent font-semibold',
};
