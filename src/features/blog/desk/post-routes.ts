import { join } from 'node:path';
import type { Context } from 'hono';
import type { Clock } from '../../../core/clock.ts';
import { readFields } from '../../../core/content/editing/edit-file.ts';
import { openFile } from '../../../core/content/editing/open-file.ts';
import { planDeletion } from '../../../core/content/editing/plan-change.ts';
import { getTitleLimit } from '../../../core/content/page-meta.ts';
import { readContent } from '../../../core/content/read-content.ts';
import { readSite } from '../../../core/content/read-site.ts';
import { readTextFile } from '../../../core/content/text-file.ts';
import { findNotice } from '../../../core/desk/answer.ts';
import { describeSaveFailure, describeSyntaxError } from '../../../core/desk/describe-content-error.ts';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { getLondonDay } from '../../../lib/london-day.ts';
import { blogContent } from '../content.ts';
import { listPostFiles, planDraft, planNewPost } from '../plan-post-change.ts';
import { isPostFile } from '../read-post.ts';
import type { PostEntry, PostPages, PostsProps } from './props.ts';

const notices = {
  draft: 'The post is a draft again. It leaves the site when you publish.',
  released: 'The post is ready. It goes on the site when you publish, on its date at the earliest.',
  deleted: 'The post is deleted. You can undo that on the page History.',
};

export function addPostRoutes(
  app: DeskApp,
  { services, root, answer, editor }: DeskDeps<{ clock: Clock }, PostPages>,
): void {
  const folder = join(root, 'content');
  const today = () => getLondonDay(services.clock.now());

  function listPosts(): PostEntry[] {
    const { errors } = readSite([blogContent], folder, { isPreview: true });
    return listPostFiles(folder).map(file => {
      const { text = '' } = readTextFile(join(folder, file));
      const { title, date, draft } = readFields(file, text) ?? {};
      const day = String(date ?? file.slice('blog/'.length, 'blog/2026-01-01'.length));
      return {
        file,
        title: String(title ?? file),
        date: day,
        state: draft === true ? 'draft' : day > today() ? 'scheduled' : 'published',
        errors: errors.filter(error => error.file === file).length,
      };
    });
  }

  function answerList(context: Context, more: Partial<PostsProps> = {}, status: 200 | 422 = 200) {
    const page = { view: 'words/posts', title: 'Blog posts', area: 'words' } as const;
    const props = { posts: listPosts(), today: today(), titleLimit: findTitleLimit(), ...more };
    return answer(context, { ...page, ...findNotice(context, notices), props }, status);
  }

  const findTitleLimit = () => getTitleLimit(readContent([], folder).validFiles.brand?.name);

  app.get('/words/posts', context => answerList(context));

  app.post('/words/posts', async context => {
    const form = await context.req.parseBody();
    const typed = { title: String(form.title ?? '').trim(), date: String(form.date ?? '') };
    if (!typed.title) return answerList(context, { typed, errors: { title: 'Give the post a title.' } }, 422);
    const limit = findTitleLimit();
    if (typed.title.length > limit) {
      const title = `This title has ${typed.title.length} characters; at most ${limit} are shown whole in tabs and search results.`;
      return answerList(context, { typed, errors: { title } }, 422);
    }
    if (!/^\d{4}-\d{2}-\d{2}$/.test(typed.date))
      return answerList(context, { typed, errors: { date: 'Give the post a date.' } }, 422);
    const plan = planNewPost(folder, typed.title, typed.date);
    if (!plan)
      return answerList(
        context,
        { typed, errors: { title: 'There is a post with this title already.' } },
        422,
      );
    const error = describeSaveFailure(await editor.save(plan));
    if (error) return answerList(context, { typed, error }, 422);
    return context.redirect(`/words/edit?${new URLSearchParams({ file: plan.file, done: 'created' })}`, 303);
  });

  app.post('/words/posts/change', async context => {
    const { file: given, action } = await context.req.parseBody();
    const file = String(given);
    if (!isPostFile(file) || !listPostFiles(folder).includes(file)) return context.notFound();
    const isDraft = action === 'draft';
    const found = openFile([blogContent], folder, file);
    if (action !== 'delete' && !found.opened && found.error)
      return answerList(context, { error: describeSyntaxError(found.error) }, 422);
    const plan = action === 'delete' ? planDeletion(folder, file) : planDraft(folder, file, isDraft);
    const error = describeSaveFailure(await editor.save(plan));
    if (error) return answerList(context, { error }, 422);
    const done = action === 'delete' ? 'deleted' : isDraft ? 'draft' : 'released';
    return context.redirect(`/words/posts?done=${done}`, 303);
  });
}
