import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { TextField } from '../../../ui/desk/field.tsx';
import { NoticeBar } from '../../../ui/desk/notice.tsx';
import type { PostEntry, PostsProps } from './props.ts';

export function Posts({ posts, typed, today, titleLimit, errors, error }: PostsProps) {
  return (
    <div className="grid max-w-[64rem] gap-7">
      <p>
        <a className="text-accent underline" href={deskUrl('/words')}>
          All words and pictures
        </a>
      </p>
      <section>
        <h2 className="text-lg">New post</h2>
        {error ? <NoticeBar kind="failed" text={error} /> : null}
        <form
          action={deskUrl('/words/posts')}
          className="mt-3 grid items-start gap-3 sm:grid-cols-[1fr_11rem_auto]"
          method="post"
        >
          <TextField
            defaultValue={typed?.title}
            error={errors?.title}
            hint={`At most ${titleLimit} characters. Its web address is made of it.`}
            id="post-title"
            label="Title"
            name="title"
            required={true}
          />
          <TextField
            defaultValue={typed?.date ?? today}
            error={errors?.date}
            id="post-date"
            label="Date"
            name="date"
            required={true}
            type="date"
          />
          <button className={`${buttonClass.primary} sm:mt-6`} type="submit">
            Start a draft
          </button>
        </form>
      </section>
      <section>
        <h2 className="text-lg">Posts</h2>
        {posts.length === 0 ? <p className="mt-2 text-muted">There are no posts yet.</p> : null}
        <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
          {posts.map(post => (
            <PostRow key={post.file} {...post} />
          ))}
        </ul>
      </section>
    </div>
  );
}

const stateText = { draft: 'Draft', scheduled: 'Waits for its date', published: 'Ready' };

function PostRow({ file, title, date, state, errors }: PostEntry) {
  const draftText = state === 'draft' ? 'Draft is finished' : 'Make it a draft';
  return (
    <li className="grid gap-2 py-3 sm:grid-cols-[1fr_auto] sm:items-start sm:gap-4">
      <div>
        <a
          className="font-semibold text-accent underline"
          href={deskUrl(`/words/edit?${new URLSearchParams({ file })}`)}
        >
          {title}
        </a>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted">
          <time dateTime={date}>{date}</time>
          <Badge tone={state === 'published' ? 'good' : 'plain'}>{stateText[state]}</Badge>
          {errors > 0 ? (
            <Badge tone="attention">{errors === 1 ? '1 error' : `${errors} errors`}</Badge>
          ) : null}
        </p>
      </div>
      <form action={deskUrl('/words/posts/change')} className="flex flex-wrap gap-2" method="post">
        <input name="file" type="hidden" value={file} />
        <button
          aria-label={`${draftText}: ${title}`}
          className={buttonClass.quiet}
          name="action"
          type="submit"
          value={state === 'draft' ? 'release' : 'draft'}
        >
          {draftText}
        </button>
        <details className="relative">
          <summary
            aria-label={`Delete… ${title}`}
            className={`${buttonClass.quiet} cursor-pointer list-none`}
          >
            Delete…
          </summary>
          <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
            It stays in the history, where you can bring it back.
            <button className={buttonClass.danger} name="action" type="submit" value="delete">
              Delete this post
            </button>
          </p>
        </details>
      </form>
    </li>
  );
}
