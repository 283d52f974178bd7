import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { fontFolder } from '../../../core/content/brand/read-fonts.ts';
import { logoFile } from '../../../core/content/brand/read-logo.ts';
import { hashText } from '../../../core/content/editing/edit-file.ts';
import { planFont, planLogo } from '../../../core/content/editing/plan-upload.ts';
import { findNotice } from '../../../core/desk/answer.ts';
import { describeSaveFailure } from '../../../core/desk/describe-content-error.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { formatImageMarkdown, planPicture } from '../../../features/blog/plan-picture.ts';
import { checkImage } from '../../../features/blog/post-images.ts';
import { postsFolder } from '../../../features/blog/read-post.ts';
import { isDrawable } from '../../../features/blog/write-post-images.ts';
import { decodeUri } from '../../../lib/decode-uri.ts';
import { formatSize } from '../../../lib/format-size.ts';
import { deskHeaders } from '../headers.ts';
import type { OwnDeps } from '../own-deps.ts';
import type { ImageEntry, ImagesProps } from './words-types.ts';

const kinds = ['picture', 'logo', 'font'] as const;
const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
const filesPath = '/words/images/file';
const pictureFile = new RegExp(`^${postsFolder}/[^/\\\\]+\\.(png|jpe?g|webp)$`, 'i');

const notices = {
  picture: 'The picture is saved. To show it, paste the line below into a post.',
  logo: 'The logo is saved. Publish the site to show it to visitors.',
  font: 'The font is saved. To use it, name its file under Fonts in Brand, menu and footer.',
  deleted: 'The picture is deleted. History and undo brings it back.',
};

export function addImageRoutes(app: DeskApp, { answer, root, editor }: OwnDeps): void {
  const folder = join(root, 'content');

  function collectProps(): ImagesProps {
    const names = listNames(join(folder, postsFolder));
    const posts = names
      .filter(name => name.endsWith('.md'))
      .map(name => ({ name, text: readFileSync(join(folder, postsFolder, name), 'utf8') }));
    const images = names.flatMap((name): ImageEntry[] => {
      const file = `${postsFolder}/${name}`;
      if (!pictureFile.test(file)) return [];
      const bytes = readFileSync(join(folder, file));
      const image = checkImage(bytes);
      const usedIn = posts.filter(({ text }) => text.includes(`](${name}`)).map(post => post.name);
      const { width, height } = 'reason' in image ? { width: 0, height: 0 } : image;
      return [{ file, url: urlOf(folder, file), width, height, size: formatSize(bytes.length), usedIn }];
    });
    const fonts = listNames(join(folder, fontFolder)).filter(name => name.endsWith('.woff2'));
    return { images, logoUrl: urlOf(folder, logoFile), fonts };
  }

  function show(context: Context, props: Partial<ImagesProps>, status: 200 | 422 = 200) {
    return answer(
      context,
      {
        view: 'words/images',
        title: 'Pictures, logo and fonts',
        area: 'words',
        props: { ...collectProps(), ...props },
        ...(props.refused
          ? { notice: { kind: 'failed', text: props.refused.reason } }
          : findNotice(context, notices)),
      },
      status,
    );
  }

  app.get('/words/images', context => {
    const file = context.req.query('file') ?? '';
    const isImage = /^blog\/[\w.-]+$/.test(file);
    return show(context, isImage ? { markdown: formatImageMarkdown(file, 'What the picture shows') } : {});
  });

  app.post('/words/images', async context => {
    const { upload, kind: given, description } = await context.req.parseBody();
    const kind = kinds.find(one => one === given) ?? 'picture';
    const isFetched = context.req.header('accept') === 'application/json';
    const refuse = (reason: string) =>
      isFetched ? context.json({ reason }, 422) : show(context, { refused: { kind, reason } }, 422);
    if (!(upload instanceof File) || upload.size === 0) return refuse('Choose a file first.');
    const bytes = new Uint8Array(await upload.arrayBuffer());
    const plan =
      kind === 'logo'
        ? planLogo(folder, bytes)
        : (kind === 'font' ? planFont : planPicture)(folder, upload.name, bytes);
    if ('reason' in plan) return refuse(`${upload.name} ${plan.reason}.`);
    if (kind === 'picture' && !(await isDrawable(bytes)))
      return refuse(`${upload.name} cannot be drawn; save it again.`);
    const failure = describeSaveFailure(await editor.save(plan.save));
    if (failure) return refuse(`${upload.name} is not saved. ${failure}`);
    if (isFetched)
      return context.json({ markdown: formatImageMarkdown(plan.file, String(description ?? '')) });
    return context.redirect(`/words/images?${new URLSearchParams({ done: kind, file: plan.file })}`, 303);
  });

  app.post('/words/images/delete', async context => {
    const { file } = await context.req.parseBody();
    const { images } = collectProps();
    const image = images.find(one => one.file === file);
    if (!image)
      return show(context, { refused: { kind: 'picture', reason: 'This picture is already gone.' } }, 422);
    if (image.usedIn.length > 0) {
      const reason = `${image.file} is shown in ${image.usedIn.join(', ')}. Take it out there first.`;
      return show(context, { refused: { kind: 'picture', reason } }, 422);
    }
    const result = await editor.save({
      changes: new Map([[image.file, null]]),
      hashes: { [image.file]: hashText(readFileSync(join(folder, image.file))) },
      summary: `Delete the picture ${image.file}`,
    });
    const failure = describeSaveFailure(result);
    if (failure) return show(context, { refused: { kind: 'picture', reason: failure } }, 422);
    return context.redirect('/words/images?done=deleted', 303);
  });

  app.get(`${filesPath}/*`, context => {
    const file = decodeUri(context.req.path.slice(filesPath.length + 1)) ?? '';
    const path = join(folder, file);
    if (!(file === logoFile || pictureFile.test(file)) || !existsSync(path)) return context.notFound();
    const bytes = new Uint8Array(readFileSync(path));
    const image = checkImage(bytes);
    const type = file === logoFile ? 'image/svg+xml' : types['type' in image ? image.type : ''];
    for (const [name, value] of Object.entries(deskHeaders({ 'script-src': "'none'" })))
      context.header(name, value);
    return context.body(bytes, 200, { 'content-type': type ?? 'application/octet-stream' });
  });
}

function listNames(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder).sort() : [];
}

/** With the time of its last change, so that a replaced file is shown. */
function urlOf(folder: string, file: string): string {
  const { mtimeMs = 0 } = statSync(join(folder, file), { throwIfNoEntry: false }) ?? {};
  return `${filesPath}/${encodeURI(file)}?${Math.round(mtimeMs)}`;
}
