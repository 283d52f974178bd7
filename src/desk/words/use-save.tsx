import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ItemOrigins } from '../../content/editing/form-types.ts';
import { createState, readState, type State, settleState, updateState } from './form-state.ts';
import type { EditorProps, Fields, SaveAnswer } from './words-types.ts';

export type Saving = { state: 'idle' } | { state: 'saving' } | SaveAnswer;

/** The state of a form, and its saving: by the button, by Ctrl+S, and never without asking when the page is left. */
export function useSave({ file, form, fields, hash, remarks }: EditorProps) {
  const [state, setState] = useState<State>(() => createState(form, fields));
  const [saved, setSaved] = useState({ state, fields, hash, remarks });
  const [saving, setSaving] = useState<Saving>({ state: 'idle' });
  const isDirty = state !== saved.state;

  const typed = useMemo(() => {
    const origins: ItemOrigins = {};
    return { fields: readState(form, state, saved.fields, origins) as Fields, origins };
  }, [form, state, saved]);

  async function save(newHash = saved.hash): Promise<void> {
    if (saving.state === 'saving') return;
    setSaving({ state: 'saving' });
    const answer = await send(file, { ...typed, hash: newHash });
    setSaving(answer);
    if (answer.state !== 'saved') return;
    if (answer.file !== file) {
      window.removeEventListener('beforeunload', preventLeaving);
      location.replace(`/words/edit?${new URLSearchParams({ file: answer.file, done: 'saved' })}`);
      return;
    }
    const settled = settleState(state);
    // What was typed while it was being saved stays unsaved.
    setState(present => (present === state ? settled : present));
    setSaved({ state: settled, fields: typed.fields, hash: answer.hash, remarks: answer.remarks });
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void save();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  useEffect(() => {
    if (!isDirty) return;
    window.addEventListener('beforeunload', preventLeaving);
    return () => window.removeEventListener('beforeunload', preventLeaving);
  }, [isDirty]);

  function change(path: string, update: (part: State) => State): void {
    setState(present => updateState(present, path === '' ? [] : path.split('/'), update));
  }

  return { state, saving, saved, isDirty, typed, change, save };
}

function preventLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

async function send(file: string, body: object): Promise<SaveAnswer> {
  try {
    const response = await fetch(`/words/edit?${new URLSearchParams({ file })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.headers.get('content-type')?.includes('json')) return (await response.json()) as SaveAnswer;
    return { state: 'failed', reason: `The desk answered with an error (${response.status}).` };
  } catch {
    return { state: 'failed', reason: 'The desk does not answer. Start it again, then save again.' };
  }
}
