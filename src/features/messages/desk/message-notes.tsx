import { useState } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { TextAreaField } from '../../../ui/desk/field.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import { allowLeaving, useLeaveGuard } from '../../../ui/desk/use-leave-guard.tsx';
import type { MessageProps } from './props.ts';

export function MessageNotes({ notes, noteError, noteText, reference, query }: MessageProps) {
  const [isTyped, setTyped] = useState(noteText !== '');
  useLeaveGuard(isTyped);
  return (
    <section>
      <h2 className="text-base">Notes</h2>
      {notes.length > 0 ? (
        <ul className="mt-2 grid gap-3">
          {notes.map(({ created, text }) => (
            <li className="border-l-2 border-edge pl-3" key={`${created.iso} ${text}`}>
              <p className="text-sm text-muted">
                <Time {...created} />
              </p>
              <p className="max-w-[44em] whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
                {text}
              </p>
            </li>
          ))}
        </ul>
      ) : null}
      <form
        action={deskUrl(`/messages/${reference}/notes`)}
        className="mt-3 grid max-w-[44em] gap-2"
        method="post"
        onSubmit={allowLeaving}
      >
        <input name="list" type="hidden" value={query} />
        <TextAreaField
          defaultValue={noteText}
          error={noteError}
          hint="Only you see it."
          id="note"
          label="Add a note"
          onChange={({ target }) => setTyped(target.value.trim() !== '')}
        />
        <div>
          <button className={buttonClass.quiet} type="submit">
            Add the note
          </button>
        </div>
      </form>
    </section>
  );
}
