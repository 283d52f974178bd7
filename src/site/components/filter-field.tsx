import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { FieldLabel, fieldClass } from '../forms/field.tsx';

type FilterFieldProps = {
  id: string;
  words: { label: string; hint: string; clear: string };
  filter: string;
  result: string;
  onFilter(typed: string): void;
};

/** Uncontrolled: what was typed before React arrived is taken up. */
export function FilterField({ id, words, filter, result, onFilter }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isTakenUp = useRef(false);
  const said = useDebounced(result);
  useLayoutEffect(() => {
    if (!field.current) return;
    if (!isTakenUp.current) onFilter(field.current.value);
    else if (field.current.value !== filter) field.current.value = filter;
    isTakenUp.current = true;
  }, [filter, onFilter]);

  function clear() {
    onFilter('');
    field.current?.focus();
  }

  function clearByKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !filter) return;
    event.preventDefault();
    clear();
  }

  return (
    <div>
      <FieldLabel id={id} label={words.label} />
      <div className="relative">
        <input
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          className={`${fieldClass} pr-26`}
          enterKeyHint="search"
          id={id}
          onInput={event => onFilter(event.currentTarget.value)}
          onKeyDown={clearByKey}
          ref={field}
          spellCheck={false}
          type="search"
        />
        {filter ? (
          <button
            className="absolute inset-y-0.5 right-0.5 rounded-field px-5 font-semibold text-accent hover:text-text"
            onClick={clear}
            type="button"
          >
            {words.clear}
          </button>
        ) : null}
      </div>
      <div className="mt-2 min-h-6 text-sm text-muted">
        <p className={result ? 'sr-only' : undefined} id={`${id}-hint`}>
          {words.hint}
        </p>
        <p aria-live="polite">{result ? said : null}</p>
      </div>
    </div>
  );
}

/** Announces a result once typing stops, so that it does not interrupt the screen reader. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 500);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Without case, accents and punctuation, so that 'e-mail' matches 'email'. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .toLowerCase();
}

export function containsWords(normalized: string, typed: string): boolean {
  return normalizeText(typed)
    .split(/\s+/)
    .every(word => normalized.includes(word));
}
