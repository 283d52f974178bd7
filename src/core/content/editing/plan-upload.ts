import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckedImage, checkImage } from '../../../features/blog/post-images.ts';
import { postsFolder } from '../../../features/blog/read-post.ts';
import { fontFolder } from '../brand/read-fonts.ts';
import { logoFile } from '../brand/read-logo.ts';
import { toSlug } from '../prose.ts';
import { hashText } from './edit-file.ts';
import type { SaveRequest } from './save-changes.ts';

export type UploadKind = 'picture' | 'logo' | 'font';

/** Where an uploaded file is saved, and how; or why it is refused, as words after its name. */
export type UploadPlan = { file: string; save: SaveRequest; image?: CheckedImage } | { reason: string };

const maxNameLength = 60;

export function planUpload(folder: string, kind: UploadKind, name: string, bytes: Uint8Array): UploadPlan {
  if (bytes.length === 0) return { reason: 'is empty' };
  if (kind === 'logo') return plan(folder, logoFile, bytes, 'Change the logo');
  const stem = toSlug(name.replace(/\.\w+$/, '')).slice(0, maxNameLength);
  if (kind === 'font') {
    const isWoff2 = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'wOF2';
    if (!isWoff2) return { reason: 'is not a WOFF2 font; convert it, or ask your designer for one' };
    const file = findFreeName(folder, `${fontFolder}/${stem}`, 'woff2', bytes);
    return plan(folder, file, bytes, `Add the font ${file}`);
  }
  const image = checkImage(bytes);
  if ('reason' in image) return image;
  const file = findFreeName(folder, `${postsFolder}/${stem}`, image.type, bytes);
  const planned = plan(folder, file, bytes, `Add the picture ${file}`);
  return { ...planned, image };
}

function plan(folder: string, file: string, bytes: Uint8Array, summary: string) {
  const path = join(folder, file);
  const before = existsSync(path) ? readFileSync(path) : undefined;
  return { file, save: { changes: new Map([[file, bytes]]), hashes: { [file]: hashText(before) }, summary } };
}

/** The same file again keeps its name; another one gets a number. */
function findFreeName(folder: string, stem: string, extension: string, bytes: Uint8Array): string {
  for (let number = 1; ; number += 1) {
    const file = `${stem}${number > 1 ? `-${number}` : ''}.${extension}`;
    const path = join(folder, file);
    if (!existsSync(path) || readFileSync(path).equals(bytes)) return file;
  }
}

/** As a post names it. What would end the description early is left out. */
export function formatImageMarkdown(file: string, description: string): string {
  const name = file.slice(postsFolder.length + 1);
  return `![${description.replaceAll(/[[\]\\\s]+/g, ' ').trim()}](${name})`;
}
