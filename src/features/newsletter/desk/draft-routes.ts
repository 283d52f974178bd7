import type { Context } from 'hono';
import { findNotice } from '../../../core/desk/answer.ts';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { readForm } from '../../../core/desk/read-form.ts';
import type { IssueSite } from '../../../core/issue-source.ts';
import type { IssueActions } from '../actions/actions.ts';
import { createIssueName, type NewsletterDraft, type NewsletterDrafts } from '../newsletter-drafts.ts';
import type { IssueError } from '../read-issue-file.ts';
import { findIssue } from '../read-issues.ts';
import { createDrafts } from './drafts.ts';
import { createIssueFinder, type IssueFinder } from './find-issue-file.ts';
import { buildMailProps } from './mail.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import type { DraftProps, NewsletterPages } from './props.ts';
import { addSendRoutes } from './send-routes.ts';

const area = 'newsletter';

const notices = { saved: 'Saved.', tested: 'The test was sent. Look at it in your mailbox.' };
const changedElsewhere =
  'This draft was changed in another window since you opened it. Copy your text, open the draft again and put it in.';

const sentMeanwhile =
  'This draft was sent meanwhile, without what you changed here. Save keeps your text as a new draft.';
const goneMeanwhile =
  'This draft was deleted meanwhile, or its file can no longer be read. Save keeps your text as a new draft.';

/** What was typed is shown again. */
type Refusal = { status?: 409 | 422 | 500; failure?: string };

const empty: DraftProps = {
  name: null,
  fields: { subject: '', preview: '', body: '' },
  hash: '',
  isUnsaved: false,
  errors: {},
  otherErrors: [],
  file: '',
  posts: [],
  mail: null,
};

type DraftDeskDeps = Pick<DeskDeps<NewsletterDeskNeeds, NewsletterPages>, 'services' | 'answer'>;
type DraftPages = ReturnType<typeof createDraftPages>;

export function addDraftRoutes(
  app: DeskApp,
  deps: DeskDeps<NewsletterDeskNeeds, NewsletterPages>,
  { site, actions }: { site: IssueSite; actions: IssueActions },
): void {
  const { services, root } = deps;
  const { clock, config } = services;
  const drafts = createDrafts(config);
  const issues = createIssueFinder(site, { root, drafts, clock });
  const pages = createDraftPages(deps, issues);
  addSendRoutes(app, deps, { issues, actions });
  addNewRoutes(app, services, drafts, pages);
  addSavedRoutes(app, services, drafts, pages);
  addPostRoute(app, deps, issues);
}

function createDraftPages({ services, answer }: DraftDeskDeps, issues: IssueFinder) {
  const showNew = (
    context: Context,
    changed: Partial<DraftProps> = {},
    { status, failure }: Refusal = {},
  ) => {
    const props = { ...empty, posts: issues.listPosts(), isUnsaved: status !== undefined, ...changed };
    const page = { view: 'newsletter/draft', title: 'New issue', area, props } as const;
    return answer(context, { ...page, ...(failure && toNotice(failure)) }, status);
  };

  async function showDraft(
    context: Context,
    draft: NewsletterDraft,
    changed: Partial<Pick<DraftProps, 'fields' | 'errors' | 'hash'>> = {},
    { status, failure }: Refusal = {},
  ): Promise<Response> {
    const read = issues.find('drafts', draft.name)?.read() ?? { errors: [] };
    const shown = sortErrors(read.errors, draft);
    const props: DraftProps = {
      ...empty,
      name: draft.name,
      file: draft.file,
      hash: draft.hash,
      isUnsaved: status !== undefined,
      fields: draft.fields ?? empty.fields,
      ...shown,
      mail: read.issue ? await buildMailProps(services, `/newsletter/drafts/${draft.name}`, read) : null,
      ...changed,
    };
    const page = {
      view: 'newsletter/draft',
      title: draft.fields?.subject || draft.name,
      area,
      props,
    } as const;
    const notice = failure ? toNotice(failure) : findNotice(context, notices);
    return answer(context, { ...page, ...notice }, status);
  }

  function showUnreadable(context: Context, { file, name }: NewsletterDraft): Response {
    const text = `${file} cannot be read. Correct its first lines in a text editor, save it as UTF-8, then open this page again.`;
    return answer(context, { view: 'problem', title: name, area, props: { text } });
  }

  return { showNew, showDraft, showUnreadable };
}

function addNewRoutes(
  app: DeskApp,
  { domainDeps, clock }: DraftDeskDeps['services'],
  drafts: NewsletterDrafts,
  { showNew }: Pick<DraftPages, 'showNew'>,
): void {
  app.get('/newsletter/new', context => showNew(context));

  app.post('/newsletter/drafts', async context => {
    const fields = await readFields(context);
    if (fields.subject === '')
      return showNew(context, { fields, errors: { subject: noSubject } }, { status: 422 });
    const name = await findFreeName(fields.subject);
    try {
      drafts.save(name, fields, '');
    } catch (error) {
      return showNew(context, { fields }, { status: 500, failure: describeFailure(error) });
    }
    return context.redirect(`/newsletter/drafts/${name}?done=saved`, 303);
  });

  /** The name of an issue that was sent is taken for good. */
  async function findFreeName(subject: string): Promise<string> {
    const month = clock.now().toISOString().slice(0, 7);
    for (let number = 1; ; number++) {
      const name = createIssueName(subject, month, number);
      if (!drafts.read(name) && !(await findIssue(domainDeps, [name]))) return name;
    }
  }
}

function addSavedRoutes(
  app: DeskApp,
  { domainDeps }: Pick<DraftDeskDeps['services'], 'domainDeps'>,
  drafts: NewsletterDrafts,
  { showNew, showDraft, showUnreadable }: DraftPages,
): void {
  app.get('/newsletter/drafts/:name', async context => {
    const draft = drafts.read(context.req.param('name'));
    if (!draft) return context.notFound();
    const sent = await findIssue(domainDeps, [draft.name]);
    if (sent) return context.redirect(`/newsletter/issues/${sent.reference}`, 303);
    if (!draft.fields) return showUnreadable(context, draft);
    return showDraft(context, draft);
  });

  app.post('/newsletter/drafts/:name', async context => {
    const draft = drafts.read(context.req.param('name'));
    const fields = await readFields(context);
    const isSent = draft && (await findIssue(domainDeps, [draft.name]));
    if (!draft?.fields || isSent)
      return showNew(context, { fields }, { status: 409, failure: isSent ? sentMeanwhile : goneMeanwhile });
    const hash = (await readForm(context))('hash');
    if (fields.subject === '')
      return showDraft(context, draft, { fields, hash, errors: { subject: noSubject } }, { status: 422 });
    try {
      if (!drafts.save(draft.name, fields, hash))
        return showDraft(context, draft, { fields, hash }, { status: 409, failure: changedElsewhere });
    } catch (error) {
      return showDraft(context, draft, { fields, hash }, { status: 500, failure: describeFailure(error) });
    }
    return context.redirect(`/newsletter/drafts/${draft.name}?done=saved`, 303);
  });

  app.post('/newsletter/drafts/:name/delete', context => {
    drafts.remove(context.req.param('name'));
    return context.redirect('/newsletter?done=deleted', 303);
  });
}

/** A post that can be sent as an issue. */
function addPostRoute(app: DeskApp, { services, answer }: DraftDeskDeps, issues: IssueFinder): void {
  const { domainDeps } = services;

  app.get('/newsletter/posts/:name', async context => {
    const source = issues.find('posts', context.req.param('name'));
    if (!source) return context.notFound();
    const read = source.read();
    const { issue, errors } = read;
    const sent = issue && (await findIssue(domainDeps, [issue.name]));
    if (sent) return context.redirect(`/newsletter/issues/${sent.reference}`, 303);
    const mail = read.issue ? await buildMailProps(services, source.path, read) : null;
    const title = issue?.subject ?? context.req.param('name');
    const props = { errors: errors.map(({ text }) => text), mail };
    const page = { view: 'newsletter/post', title, area, props } as const;
    return answer(context, { ...page, ...findNotice(context, notices) });
  });
}

const noSubject = 'Give the issue a subject.';

const toNotice = (text: string) => ({ notice: { kind: 'failed' as const, text } });

function describeFailure(error: unknown): string {
  return `Not saved: ${(error as Error).message}. What you typed is still here: save it again.`;
}

/** Line breaks of a form are CRLF. */
async function readFields(context: Context): Promise<DraftProps['fields']> {
  const form = await readForm(context);
  return {
    subject: form('subject').trim(),
    preview: form('preview').trim(),
    body: form('body').replaceAll('\r\n', '\n'),
  };
}

function sortErrors(
  errors: readonly IssueError[],
  { file, bodyLine }: NewsletterDraft,
): Pick<DraftProps, 'errors' | 'otherErrors'> {
  const own = errors.filter(error => error.file === file);
  const ofField = (field: string) => own.filter(error => error.field === field);
  const body = ofField('body').map(
    ({ line, reason }) => `Line ${Math.max(line - bodyLine + 1, 1)}: ${reason}.`,
  );
  const [subject] = ofField('subject');
  const [preview] = ofField('preview');
  const shown = [...ofField('body'), subject, preview];
  return {
    errors: {
      ...(subject && { subject: `It ${subject.reason}.` }),
      ...(preview && { preview: `It ${preview.reason}.` }),
      ...(body.length > 0 && { body: [...new Set(body)].join(' ') }),
    },
    otherErrors: errors.filter(error => !shown.includes(error)).map(({ text }) => text),
  };
}
