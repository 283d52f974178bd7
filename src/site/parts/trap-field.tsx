import site from 'content:site';
import { trapField } from '../../api/contract.ts';

/**
 * A field for robots. Nobody sees it or comes to it by keyboard, a screen reader reads what it is for, and whatever fills
 * in forms for people is asked to leave it alone.
 */
export function TrapField({ id }: { id: string }) {
  return (
    <div className="sr-only">
      <label htmlFor={id}>{site.leaveEmpty}</label>
      <input
        autoComplete="off"
        data-1p-ignore
        data-bwignore
        data-form-type="other"
        data-lpignore="true"
        id={id}
        name={trapField}
        tabIndex={-1}
        type="text"
      />
    </div>
  );
}
