import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fontFolder } from '../brand/read-fonts.ts';
import { logoFile } from '../brand/read-logo.ts';
import { toSlug } from '../prose.ts';
import { hashText } from './edit-file.ts';
import type { SaveRequest } from './save-changes.ts';

/** Where an uploaded file is saved, and how; or why it is refused, as words after its name. */
export type UploadPlan = { file: string; save: SaveRequest } | { reason: string };

const isEmpty = { reason: 'is empty' };

export function planLogo(folder: string, bytes: Uint8Array): UploadPlan {
  return bytes.length === 0 ? isEmpty : planFile(folder, logoFile, bytes, 'Change the logo');
}

export function planFont(folder: string, name: string, bytes: Uint8Array): UploadPlan {
  if (bytes.length === 0) return isEmpty;
  const isWoff2 = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'wOF2';
  if (!isWoff2) return { reason: 'is not a WOFF2 font; convert it, or ask your designer for one' };
  const file = findFreeName(folder, { subfolder: fontFolder, name, extension: 'woff2' }, bytes);
  return planFile(folder, file, bytes, `Add the font ${file}`);
}

export function planFile(folder: string, file: string, bytes: Uint8Array, summary: string) {
  const path = join(folder, file);
  const before = existsSync(path) ? readFileSync(path) : undefined;
  return { file, save: { changes: new Map([[file, bytes]]), hashes: { [file]: hashText(before) }, summary } };
}

type Upload = { subfolder: string; name: string; extension: string };

const maxNameLength = 60;

/** The same file again keeps its name; another one gets a number. */
export function findFreeName(
  folder: string,
  { subfolder, name, extension }: Upload,
  bytes: Uint8Array,
): string {
  const stem = toSlug(name.replace(/\.\w+$/, '')).slice(0, maxNameLength);
  for (let number = 1; ; number += 1) {
    const file = `${subfolder}/${stem}${number > 1 ? `-${number}` : ''}.${extension}`;
    const path = join(folder, file);
    if (!existsSync(path) || readFileSync(path).equals(bytes)) return file;
  }
}
