import { useEffect, useMemo, useRef, useState } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { FormContext, type FormContextValue, fieldId, revealLinkedField } from './form-context.tsx';
import { Fields } from './form-field.tsx';
import { ImageDrop } from './image-drop.tsx';
import { toLabel } from './labels.ts';
import { Preview } from './preview.tsx';
import { findPreviewPath } from './preview-path.ts';
import { Conflict, ErrorSummary } from './save-result.tsx';
import { type Saving, useSave } from './use-save.tsx';
import type { EditorProps, FieldError } from './words-types.ts';

export function Editor(props: EditorProps) {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <div>
      <p className="flex flex-wrap gap-x-5 gap-y-1">
        <a className="text-accent underline" href={deskUrl(isPost(props.file) ? '/words/posts' : '/words')}>
          {isPost(props.file) ? 'All posts' : 'All words and pictures'}
        </a>
        <a className="text-accent underline" href={deskUrl('/words/history')}>
          History and undo
        </a>
        {isReady && hasPreview(props.file) ? (
          <a className="text-accent underline xl:hidden" href="#preview">
            To the preview
          </a>
        ) : null}
      </p>
      <p className="mt-3 max-w-[52rem] text-sm text-muted">{props.remarks.about}</p>
      {/* Without a script there is nothing to type into that could be saved. */}
      <noscript>
        <p className="mt-4 font-semibold">
          Editing needs JavaScript. Switch it on for this page, or change the file content/{props.file} in a
          text editor.
        </p>
      </noscript>
      {isReady ? <Form {...props} /> : null}
    </div>
  );
}

function Form(props: EditorProps) {
  const { form, placeholders } = props;
  const { file, state, saving, saved, isDirty, typed, change, save } = useSave(props);
  const [announcement, announce] = useState('');
  const summary = useRef<HTMLDivElement>(null);
  const saveButton = useRef<HTMLButtonElement>(null);
  const errors = useMemo(() => listErrors(saving), [saving]);
  const changeRef = useRef(change);
  changeRef.current = change;
  const context: FormContextValue = useMemo(
    () => ({
      errors: new Map(errors.map(({ path, reason }) => [path, reason])),
      remarks: saved.remarks.fields,
      placeholders,
      change: (...args) => changeRef.current(...args),
      announce,
    }),
    [errors, saved.remarks, placeholders],
  );
  // The fields of a link to one of them are not there when the page is loaded.
  useEffect(() => {
    const field = revealLinkedField(location.hash);
    field?.scrollIntoView({ block: 'center' });
    field?.focus();
  }, []);
  useEffect(() => {
    if (saving.state === 'refused' || saving.state === 'changed-meanwhile') summary.current?.focus();
    // The summary or conflict that had the focus is gone.
    else if (saving.state !== 'idle' && document.activeElement === document.body) saveButton.current?.focus();
  }, [saving]);

  const inner = (
    <form
      className="mt-5"
      noValidate={true}
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      {errors.length > 0 ? (
        <ErrorSummary errors={errors} isDraft={saving.state === 'saved'} ref={summary} />
      ) : null}
      {saving.state === 'changed-meanwhile' ? (
        <Conflict
          onOverwrite={() => save(saving.hash)}
          ours={typed.fields}
          ref={summary}
          theirs={saving.fields}
        />
      ) : null}
      <Contents
        names={Object.entries(form.fields ?? {}).flatMap(([name, { kind }]) => (isPart(kind) ? name : []))}
      />
      <FormContext value={context}>
        <div className="mt-5">
          <Fields field={form} path="" source="" state={state} />
        </div>
      </FormContext>
      <div className="sticky bottom-0 mt-6 flex flex-wrap items-center gap-4 border-t border-hairline bg-surface py-3">
        <button className={buttonClass.primary} ref={saveButton} type="submit">
          Save
        </button>
        <p
          className={saving.state === 'failed' ? 'font-semibold text-attention' : 'text-sm text-muted'}
          role="status"
        >
          {describeSaving(saving, isDirty)}
        </p>
        {saving.state === 'saved' && !isDirty ? (
          <a className={buttonClass.quiet} href={deskUrl('/words/publish')}>
            Publish
          </a>
        ) : null}
      </div>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </form>
  );
  if (!hasPreview(props.file)) return <div className="max-w-[52rem]">{inner}</div>;
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,30rem)_minmax(0,1fr)]">
      <div>
        {inner}
        {isPost(props.file) ? (
          <ImageDrop onAdd={line => change('body', text => addLine(String(text), line))} />
        ) : null}
      </div>
      <div className="xl:sticky xl:top-4 xl:mt-5" id="preview">
        <Preview file={file} {...typed} />
      </div>
    </div>
  );
}

/** A picture is a paragraph of its own: where the cursor is in the text, else at its end. */
function addLine(text: string, line: string): string {
  const area = document.getElementById(fieldId('body'));
  const cursor = (area instanceof HTMLTextAreaElement && area.selectionEnd) || text.length;
  const [before, after] = [text.slice(0, cursor).trimEnd(), text.slice(cursor).trimStart()];
  return [before, line, after].filter(Boolean).join('\n\n');
}

function isPost(file: string): boolean {
  return file.startsWith('blog/');
}

function hasPreview(file: string): boolean {
  return findPreviewPath(file) !== undefined;
}

function isPart(kind: string): boolean {
  return kind === 'group' || kind === 'list' || kind === 'record';
}

function Contents({ names }: { names: string[] }) {
  if (names.length < 4) return null;
  return (
    <nav aria-label="Parts of this form" className="mt-4">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {names.map(name => (
          <li key={name}>
            <a className="text-accent underline" href={`#field-${name}`}>
              {toLabel(name)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function listErrors(saving: Saving): FieldError[] {
  if (saving.state === 'refused') return saving.errors;
  return saving.state === 'saved' ? saving.draftErrors : [];
}

function describeSaving(saving: Saving, isDirty: boolean): string {
  if (saving.state === 'saving') return 'Saving…';
  if (saving.state === 'failed') return `Not saved. ${saving.reason}`;
  if (saving.state === 'refused') return 'Not saved: see the errors at the top.';
  if (saving.state === 'changed-meanwhile') return 'Not saved: see the top of the form.';
  if (isDirty) return 'Not saved yet. Ctrl+S saves.';
  return saving.state === 'saved' ? 'Saved. Publish to show it to visitors.' : '';
}
