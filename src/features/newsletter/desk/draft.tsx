import { useState } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { TextAreaField, TextField } from '../../../ui/desk/field.tsx';
import { allowLeaving, useLeaveGuard } from '../../../ui/desk/use-leave-guard.tsx';
import { MailPreview } from './mail-preview.tsx';
import type { DraftProps } from './props.ts';
import { SendPanel } from './send-panel.tsx';

export function NewsletterDraft(props: DraftProps) {
  const { name, otherErrors, file, posts, mail } = props;
  const [isDirty, setDirty] = useState(props.isUnsaved);
  useLeaveGuard(isDirty);
  return (
    <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-2">
      <div>
        {otherErrors.length > 0 ? <OtherErrors errors={otherErrors} /> : null}
        <DraftForm {...props} onInput={() => setDirty(true)} />
      </div>
      <div className="xl:col-start-2 xl:row-span-3 xl:row-start-1">
        {mail ? <MailPreview {...mail} /> : null}
        {name && !mail ? (
          <p className="text-muted">The preview appears here when the text has no errors.</p>
        ) : null}
        {posts.length > 0 ? <Posts posts={posts} /> : null}
      </div>
      {mail ? <SendPanel {...mail} isUnsaved={isDirty} /> : null}
      {name ? <DeleteDraft file={file} name={name} /> : null}
    </div>
  );
}

function DraftForm({ name, fields, hash, errors, onInput }: DraftProps & { onInput(): void }) {
  return (
    <form
      action={deskUrl(name ? `/newsletter/drafts/${name}` : '/newsletter/drafts')}
      className="grid gap-4"
      method="post"
      onInput={onInput}
      onSubmit={allowLeaving}
    >
      <input name="hash" type="hidden" value={hash} />
      <TextField
        autoComplete="off"
        defaultValue={fields.subject}
        error={errors.subject}
        id="subject"
        label="Subject"
        required
      />
      <TextField
        autoComplete="off"
        defaultValue={fields.preview}
        error={errors.preview}
        hint="Optional. Inboxes show it beside the subject."
        id="preview"
        label="First words"
      />
      <TextAreaField
        className="desk-target min-h-72 w-full rounded-field border border-edge bg-high px-3 py-2 font-mono text-sm text-text field-sizing-content aria-invalid:border-2 aria-invalid:border-attention"
        defaultValue={fields.body}
        error={errors.body}
        hint="Markdown: an empty line between paragraphs, **strong**, *emphasis*, - lists, ## headings, [links](/faq). No pictures."
        id="body"
        label="Text"
        rows={16}
      />
      <div>
        <button className={buttonClass.primary} type="submit">
          Save
        </button>
      </div>
    </form>
  );
}

function OtherErrors({ errors }: { errors: string[] }) {
  return (
    <div className="mb-5 border-l-4 border-attention bg-raised px-4 py-3">
      <p className="font-semibold">It cannot be sent yet:</p>
      <ul className="mt-1 list-disc pl-5">
        {errors.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function DeleteDraft({ name, file }: { name: string; file: string }) {
  return (
    <details>
      <summary className="desk-summary cursor-pointer text-sm text-muted">File and deleting</summary>
      <p className="mt-1 text-sm text-muted">
        Saved as <code className="break-all">{file}</code>.
      </p>
      <form action={deskUrl(`/newsletter/drafts/${name}/delete`)} className="mt-2" method="post">
        <button className={buttonClass.danger} type="submit">
          Delete this draft for good
        </button>
      </form>
    </details>
  );
}

function Posts({ posts }: Pick<DraftProps, 'posts'>) {
  return (
    <section>
      <h2 className="text-base">Or take a post</h2>
      <p className="text-sm text-muted">Its title becomes the subject, and the mail links to it.</p>
      <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
        {posts.map(({ name, title, date }) => (
          <li key={name}>
            <a
              className="desk-target flex flex-wrap items-center justify-between gap-x-4 py-2 hover:text-accent"
              href={deskUrl(`/newsletter/posts/${name}`)}
            >
              <span>{title}</span>
              <span className="text-sm text-muted">{date}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
