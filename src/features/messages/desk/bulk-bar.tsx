import { useEffect, useState } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { ChangeButton } from './change-buttons.tsx';
import type { ChangeName } from './change-messages.ts';
import type { TabName } from './list-filter.ts';

type BulkBarProps = { state: TabName; summary: string; hasUndelivered: boolean };

/** CSS shows the buttons once a message is selected, so that they are there without a script, too. */
export function BulkBar({ state, summary, hasUndelivered }: BulkBarProps) {
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline px-3 py-1.5">
      {/* The form's default button: Enter on a checkbox sends nothing. */}
      <button disabled hidden type="submit" />
      <SelectAll />
      <p className="text-sm text-muted group-has-[ul_:checked]/list:hidden">{summary}</p>
      <div className="hidden flex-wrap gap-2 group-has-[ul_:checked]/list:flex">
        {changesByTab[state].map(name => (
          <ChangeButton key={name} name={name} />
        ))}
        {hasUndelivered ? <ChangeButton name="retry" /> : null}
        <button
          className={buttonClass.danger}
          formAction={deskUrl('/messages/delete')}
          formMethod="get"
          id="delete"
          type="submit"
        >
          Delete…
        </button>
      </div>
    </div>
  );
}

const changesByTab: Record<TabName, ChangeName[]> = {
  new: ['answer', 'close', 'spam'],
  answered: ['close', 'reopen', 'spam'],
  closed: ['reopen', 'spam'],
  quarantined: ['release', 'spam'],
  spam: ['release'],
  all: ['answer', 'close', 'reopen', 'release', 'spam'],
};

/** Needs a script, and appears with it. */
function SelectAll() {
  const [isReady, setIsReady] = useState(false);
  useEffect(() => setIsReady(true), []);
  return (
    <label className={`desk-target flex w-6 items-center justify-center ${isReady ? '' : 'invisible'}`}>
      <span className="sr-only">Select all</span>
      <input
        className="size-4 accent-(--accent)"
        disabled={!isReady}
        onChange={({ target }) => {
          for (const box of target.form?.querySelectorAll<HTMLInputElement>('[name=reference]') ?? [])
            box.checked = target.checked;
        }}
        type="checkbox"
      />
    </label>
  );
}
