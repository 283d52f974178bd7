import { useEffect, useId, useState } from 'react';
import { maxImageMb } from '../../../lib/image-limits.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { fetchDesk } from '../../../ui/desk/fetch-desk.tsx';
import { TextField } from '../../../ui/desk/field.tsx';
import { restarted } from '../../../ui/desk/restarted.ts';
import type { ImageAnswer } from './words-types.ts';

const tooLarge = `larger than ${maxImageMb} MB. Save it smaller.`;
export const imageTypes = 'image/png,image/jpeg,image/webp';

/** Adds a picture by dropping or choosing it, and hands over the line that shows it in a post. */
export function ImageDrop({ onAdd }: { onAdd(markdown: string): void }) {
  const [file, setFile] = useState<File>();
  const [description, setDescription] = useState('');
  const [problem, setProblem] = useState('');
  const [isAdded, setAdded] = useState(false);
  const [isSending, setSending] = useState(false);
  const [isOver, setOver] = useState(false);
  const picture = useObjectUrl(file);
  const id = useId();

  function choose(chosen: File | null | undefined): void {
    if (!chosen) return;
    setAdded(false);
    const isTooLarge = chosen.size > maxImageMb * 1e6;
    setProblem(isTooLarge ? `${chosen.name} is ${tooLarge}` : '');
    setFile(isTooLarge ? undefined : chosen);
  }

  async function add(): Promise<void> {
    if (isSending) return;
    if (!file) return setProblem('Choose a picture first.');
    if (!description.trim()) return setProblem('Describe the picture for people who cannot see it.');
    setSending(true);
    const answer = await sendImage(file, description.trim());
    setSending(false);
    if ('reason' in answer) return setProblem(answer.reason);
    onAdd(answer.markdown);
    setFile(undefined);
    setDescription('');
    setProblem('');
    setAdded(true);
    // The button with the focus goes.
    document.getElementById(id)?.focus();
  }

  return (
    <fieldset
      className={`grid gap-3 rounded-field border-2 border-dashed p-4 ${isOver ? 'border-accent bg-raised' : 'border-edge'}`}
      onDragLeave={() => setOver(false)}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDrop={event => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer.files[0]);
      }}
    >
      <legend className="px-1 text-sm font-semibold">Add a picture</legend>
      <div className="flex flex-wrap items-center gap-3">
        {picture ? <img alt="" className="max-h-24 max-w-40 rounded-field" src={picture} /> : null}
        <label
          className={`${buttonClass.quiet} cursor-pointer focus-within:outline-3 focus-within:outline-accent`}
          htmlFor={id}
        >
          {file ? 'Choose another picture' : 'Choose a picture'}
          <input
            accept={imageTypes}
            className="sr-only"
            id={id}
            onChange={event => {
              choose(event.target.files?.[0]);
              // So that the same name can be chosen again, after a correction.
              event.target.value = '';
            }}
            type="file"
          />
        </label>
        <p className="text-sm text-muted">
          {file ? file.name : `or drop it here: PNG, JPEG or WebP, up to ${maxImageMb} MB`}
        </p>
      </div>
      {file ? (
        <TextField
          hint="For people who cannot see it, and for search engines. Say what matters in it."
          id={`${id}-description`}
          label="What the picture shows"
          onChange={event => setDescription(event.target.value)}
          value={description}
        />
      ) : null}
      <p
        aria-live="polite"
        className={`text-sm font-semibold empty:hidden ${isAdded ? 'text-accent' : 'text-attention'}`}
      >
        {isAdded ? 'The picture is added.' : problem}
      </p>
      {file ? (
        <button
          aria-disabled={isSending || undefined}
          className={`${buttonClass.primary} justify-self-start aria-disabled:opacity-60`}
          onClick={add}
          type="button"
        >
          {isSending ? 'Adding…' : 'Add the picture'}
        </button>
      ) : null}
    </fieldset>
  );
}

function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}

async function sendImage(file: File, description: string): Promise<ImageAnswer> {
  const body = new FormData();
  body.set('kind', 'picture');
  body.set('upload', file);
  body.set('description', description);
  try {
    const headers = { accept: 'application/json' };
    const response = await fetchDesk('/words/images', { method: 'POST', headers, body });
    if (response.status === 401) return { reason: restarted };
    if (response.status === 413) return { reason: `It is ${tooLarge}` };
    if (response.ok || response.status === 422) return await response.json();
    return { reason: `The desk answered with an error (${response.status}). Try again.` };
  } catch {
    return { reason: 'The desk does not answer. Try again.' };
  }
}
