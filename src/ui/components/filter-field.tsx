import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { FieldLabel } from '../forms/field.tsx';

type FilterFieldProps = {
  id: string;
  texts: { label: string; hint: string; clear: string };
  filter: string;
  result: string;
  onFilter(typed: string): void;
};

/** Uncontrolled, so that what was typed before hydration is used. */
export function FilterField({ id, texts, filter, result, onFilter }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isInitialized = useRef(false);
  const announcedResult = useDebounced(result);
  useLayoutEffect(() => {
    if (!field.current) return;
    if (!isInitialized.current) onFilter(field.current.value);
    else if (field.current.value !== filter) field.current.value = filter;
    isInitialized.current = true;
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
      <FieldLabel id={id} label={texts.label} />
      <div className="relative">
        <input
          aria-describedby={`${id}-hint`}
          autoComplete="off"
          className="field pr-26"
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
            {texts.clear}
          </button>
        ) : null}
      </div>
      <div className="mt-2 min-h-6 text-sm text-muted">
        <p className={result ? 'sr-only' : undefined} id={`${id}-hint`}>
          {texts.hint}
        </p>
        <p aria-live="polite">{result ? announcedResult : null}</p>
      </div>
    </div>
  );
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), 500);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

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
