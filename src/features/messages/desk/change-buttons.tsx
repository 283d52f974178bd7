import { buttonClass } from '../../../ui/desk/button.ts';
import type { ChangeName } from './change-messages.ts';

export const changeTexts: Record<ChangeName, string> = {
  answer: 'Mark as answered',
  close: 'Close',
  reopen: 'Mark as new',
  spam: 'Spam',
  release: 'Release',
  retry: 'Try again',
};

export function ChangeButton({
  name,
  tone = 'quiet',
  id,
}: {
  name: ChangeName;
  tone?: 'primary' | 'quiet';
  id?: string;
}) {
  return (
    <button className={buttonClass[tone]} id={id} name="change" type="submit" value={name}>
      {changeTexts[name]}
    </button>
  );
}
