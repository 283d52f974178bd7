import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { hashText } from '../../../core/content/editing/edit-file.ts';
import { planEdit } from '../../../core/content/editing/plan-change.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { contentParts } from '../../../features.content.ts';
import { createPreview, type Preview } from '../../build/create-preview.ts';
import type { Draft } from '../../build/draft-folder.ts';
import { deskHeaders } from '../headers.ts';
import type { OwnDeps } from '../own-deps.ts';
import { previewBase } from './preview-path.ts';
import type { PreviewAnswer } from './words-types.ts';

const request = v.object({
  file: v.pipe(v.string(), v.regex(/^(?!.*\.\.)[\w./-]+\.(yaml|md)$/)),
  path: v.string(),
  fields: v.optional(v.record(v.string(), v.unknown())),
  origins: v.optional(v.record(v.string(), v.array(v.nullable(v.number())))),
});

const frameHeaders = deskHeaders({
  'script-src': "'none'",
  'connect-src': "'none'",
  'frame-src': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
});

/** Files whose URLs change with their content. */
const versioned = /^\/(style\.css$|fonts\/|static\/|blog\/images\/)/;
/** Rendered pages wait here for the frame that shows them. */
const maxRendered = 8;
/** Vite keeps up to 1 MB of each version of a text; it is started anew before that becomes much. */
const maxUpdates = 200;

export function addPreviewRoutes(app: DeskApp, { services, root, cleanup, prefix }: OwnDeps): void {
  const folder = join(root, 'content');
  const rendered = new Map<string, string>();
  let starting: Promise<Preview> | undefined;
  let updates = 0;

  function getPreview(): Promise<Preview> {
    starting ??= createPreview({ config: services.config, folder, base: `${prefix}${previewBase}` }).catch(
      error => {
        starting = undefined;
        throw error;
      },
    );
    return starting;
  }

  async function close(): Promise<void> {
    const started = starting;
    starting = undefined;
    updates = 0;
    await (await started?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
  cleanup.defer(close);

  function keep(html: string): string {
    const id = randomUUID();
    rendered.set(id, html);
    const [oldest = ''] = rendered.keys();
    if (rendered.size > maxRendered) rendered.delete(oldest);
    return id;
  }

  /** As saving would change the files. */
  function createDraft({ file, fields, origins }: v.InferOutput<typeof request>): Draft | undefined {
    if (!fields || !existsSync(join(folder, file))) return undefined;
    const hash = hashText(readFileSync(join(folder, file), 'utf8'));
    return planEdit(contentParts, folder, { file, fields, origins, hash });
  }

  app.post('/words/preview', async context => {
    const parsed = v.safeParse(request, await context.req.json().catch(() => undefined));
    if (!parsed.success) return context.text('This request cannot be read.\n', 422);
    updates += 1;
    if (updates > maxUpdates) await close();
    const preview = await getPreview();
    const { path } = parsed.output;
    const { html, problems, isStale } = await preview.show(path, createDraft(parsed.output));
    const pages = preview.listPages();
    const frame = html && `${previewBase}${path}?draft=${keep(html)}`;
    return context.json({ problems, isStale, pages, ...(frame && { frame }) } satisfies PreviewAnswer);
  });

  app.get(`${previewBase}/*`, async context => {
    for (const [name, value] of Object.entries(frameHeaders)) context.header(name, value);
    const path = context.req.path.slice(previewBase.length);
    const preview = await getPreview();
    if (/\.\w+$/.test(path)) {
      const file = await preview.readFile(path);
      if (!file) return context.text('There is no such file.\n', 404);
      if (versioned.test(path)) context.header('Cache-Control', 'private, max-age=31536000, immutable');
      return context.body(file.bytes, 200, { 'content-type': file.type });
    }
    const html = rendered.get(context.req.query('draft') ?? '') ?? (await preview.render(path));
    return html
      ? context.html(html)
      : context.html('<!doctype html><title>No page</title>There is no such page.', 404);
  });
}
