import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Fields } from '../../../core/content/editing/edit-file.ts';
import type { ItemOrigins } from '../../../core/content/editing/form-types.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { fetchDesk } from '../../../ui/desk/fetch-desk.tsx';
import { restarted } from '../../../ui/desk/restarted.ts';
import { useLeaveGuard } from '../../../ui/desk/use-leave-guard.tsx';
import { createState, readState, type State, settleState, updateState } from './form-state.ts';
import type { EditorProps, SaveAnswer } from './words-types.ts';

export type Saving = { state: 'idle' } | { state: 'saving' } | SaveAnswer;

/** The state of a form, and its saving: by the button, by Ctrl+S, and never without asking when the page is left. */
export function useSave({ file: opened, form, fields, hash, remarks }: EditorProps) {
  const [file, setFile] = useState(opened);
  const [state, setState] = useState<State>(() => createState(form, fields));
  const [saved, setSaved] = useState({ state, fields, hash, remarks });
  const [saving, setSaving] = useState<Saving>({ state: 'idle' });
  /** While it was being saved: items have other places then than in the saved file. */
  const [isTypedMeanwhile, setTypedMeanwhile] = useState(false);
  const isDirty = state !== saved.state;
  useLeaveGuard(isDirty);

  const typed = useMemo(() => {
    const origins: ItemOrigins = {};
    return { fields: readState(form, state, saved.fields, origins) as Fields, origins };
  }, [form, state, saved]);

  async function save(newHash = saved.hash): Promise<void> {
    if (saving.state === 'saving') return;
    setSaving({ state: 'saving' });
    setTypedMeanwhile(false);
    // Those of another text would take comments to other items.
    const origins = newHash === saved.hash && !isTypedMeanwhile ? typed.origins : undefined;
    const answer = await send(file, { fields: typed.fields, origins, hash: newHash });
    setSaving(answer);
    if (answer.state !== 'saved') {
      if (isTypedMeanwhile) setTypedMeanwhile(true);
      return;
    }
    if (answer.file !== file) {
      // A post is named after its date.
      setFile(answer.file);
      history.replaceState(null, '', deskUrl(`/words/edit?${new URLSearchParams({ file: answer.file })}`));
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
  function change(path: string, update: (part: State) => State): void {
    if (saving.state === 'saving') setTypedMeanwhile(true);
    setState(present => updateState(present, path === '' ? [] : path.split('/'), update));
  }

  return { file, state, saving, saved, isDirty, typed, change, save };
}

async function send(file: string, body: object): Promise<SaveAnswer> {
  try {
    const response = await fetchDesk(`/words/edit?${new URLSearchParams({ file })}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.headers.get('content-type')?.includes('json')) return (await response.json()) as SaveAnswer;
    if (response.status === 401) return { state: 'failed', reason: restarted };
    return { state: 'failed', reason: `The desk answered with an error (${response.status}).` };
  } catch {
    return { state: 'failed', reason: 'The desk does not answer. Start it again, then save again.' };
  }
}
