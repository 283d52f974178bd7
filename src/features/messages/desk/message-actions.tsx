import { type RefObject, useEffect, useRef, useState } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { allowMailLink } from '../../../ui/desk/use-leave-guard.tsx';
import { ChangeButton } from './change-buttons.tsx';
import { KeyboardHelp, type Keys } from './keys.tsx';
import type { MessageProps } from './props.ts';

export function MessageActions(props: MessageProps) {
  const { reference, state, replyUrl, changes, query, listPath, newerPath, olderPath } = props;
  const [isReplying, setIsReplying] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const canAnswer = changes.includes('answer');
  const isHeldBack = changes.includes('release');
  // The mail program is in front now: the button waits for the owner to come back.
  useEffect(() => {
    if (isReplying) find(form.current, 'answer')?.focus();
  }, [isReplying]);
  return (
    <div className="grid gap-3 border-b border-hairline pb-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <a className={linkClass} href={deskUrl(listPath)}>
          Back to the list
        </a>
        <nav aria-label="Other messages" className="flex gap-4">
          <Step path={newerPath} text="Newer" />
          <Step path={olderPath} text="Older" />
        </nav>
      </div>
      <div className="flex flex-wrap gap-2">
        <form action={deskUrl('/messages/change')} className="contents" method="post" ref={form}>
          {Object.entries({ reference, list: query, from: 'message' }).map(([name, value]) => (
            <input key={name} name={name} type="hidden" value={value} />
          ))}
          {replyUrl && !isHeldBack && state !== 'empty' ? (
            <a
              className={buttonClass[isReplying ? 'quiet' : 'primary']}
              href={replyUrl}
              id="reply"
              onClick={() => {
                allowMailLink();
                setIsReplying(canAnswer);
              }}
            >
              Reply
            </a>
          ) : null}
          {changes.map(name => (
            <ChangeButton
              key={name}
              name={name}
              tone={name === 'release' || (name === 'answer' && isReplying) ? 'primary' : 'quiet'}
            />
          ))}
          <button
            className={buttonClass.danger}
            formAction={deskUrl('/messages/delete')}
            formMethod="get"
            type="submit"
          >
            Delete…
          </button>
        </form>
        {/* Outside the form: Enter in it would press the form's first button. */}
        <KeyboardHelp keys={listKeys(form, props)} />
      </div>
      <p className="text-sm text-muted empty:hidden" role="status">
        {describeReply(props, isReplying)}
      </p>
    </div>
  );
}

const linkClass = 'desk-target inline-flex items-center text-sm text-accent underline';

function Step({ path, text }: { path: string | undefined; text: string }) {
  return path ? (
    <a className={linkClass} href={deskUrl(path)} id={text.toLowerCase()}>
      {text}
    </a>
  ) : (
    <span className="desk-target inline-flex items-center text-sm text-muted">{text}</span>
  );
}

function describeReply({ replyUrl, changes, state }: MessageProps, isReplying: boolean): string {
  if (isReplying) return 'Your mail program has the reply. Once it is sent, mark the message as answered.';
  if (changes.includes('release')) return 'To reply, release the message first.';
  if (!replyUrl && state !== 'empty')
    return 'The visitor gave no email address that can be replied to. Is there a phone number in the text?';
  return '';
}

function find(form: HTMLFormElement | null, name: string): HTMLButtonElement | null {
  return form?.querySelector<HTMLButtonElement>(`button[value=${name}]`) ?? null;
}

function listKeys(
  form: RefObject<HTMLFormElement | null>,
  { listPath }: Pick<MessageProps, 'listPath'>,
): Keys {
  const change = (name: string) => () => find(form.current, name)?.click();
  const follow = (id: string) => () => document.getElementById(id)?.click();
  return {
    j: { text: 'Older message', press: follow('older') },
    k: { text: 'Newer message', press: follow('newer') },
    u: { text: 'Back to the list', press: () => location.assign(deskUrl(listPath)) },
    r: { text: 'Reply', press: follow('reply') },
    e: { text: 'Close: nothing more is to be done', press: change('close') },
    a: { text: 'Mark as answered', press: change('answer') },
    s: { text: 'Move to spam', press: change('spam') },
  };
}
