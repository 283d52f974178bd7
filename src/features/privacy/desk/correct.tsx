import { joinWithAnd } from '../../../lib/format-count.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Time } from '../../../ui/desk/time.tsx';
import type { CorrectionProps } from './props.ts';
import { Steps } from './steps.tsx';

export function PrivacyCorrect({ id, change, fields, messages, effects }: CorrectionProps) {
  return (
    <div className="max-w-[52rem]">
      <Steps current={2} />
      {messages.length > 0 ? (
        <ul className="mt-5 divide-y divide-hairline border-y border-hairline">
          {messages.map(({ reference, at, old, new: corrected }) => (
            <li className="py-2" key={reference}>
              <p className="break-words">
                <del className="text-muted">{old}</del> <span className="text-muted">becomes</span>{' '}
                <ins className="no-underline">{corrected}</ins>
              </p>
              <p className="flex flex-wrap gap-x-3 text-sm text-muted">
                <Time {...at} />
                <span className="font-mono text-xs">{reference}</span>
              </p>
            </li>
          ))}
        </ul>
      ) : null}
      {effects.map(({ text }) => (
        <p className="mt-4" key={text}>
          {text}
        </p>
      ))}
      {messages.length > 0 ? (
        <p className="mt-4">
          Copies on this machine are corrected, too. The old details cannot be brought back.
        </p>
      ) : null}
      <form action={deskUrl(`/privacy/${id}/correct`)} className="mt-5 flex flex-wrap gap-3" method="post">
        {fields.map(({ name }) => (
          <input key={name} name={`new-${name}`} type="hidden" value={change[name]} />
        ))}
        <button className={buttonClass.primary} name="is-confirmed" type="submit" value="yes">
          {describeCorrection(messages.length, effects)}
        </button>
        <a className={buttonClass.quiet} href={deskUrl(`/privacy/${id}`)}>
          Change nothing
        </a>
      </form>
    </div>
  );
}

function describeCorrection(messages: number, effects: CorrectionProps['effects']): string {
  const correct = messages === 1 ? 'correct 1 message' : `correct ${messages} messages`;
  const all = joinWithAnd([...(messages > 0 ? [correct] : []), ...effects.map(({ button }) => button)]);
  return `${all.slice(0, 1).toUpperCase()}${all.slice(1)}`;
}
