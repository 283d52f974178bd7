import { join } from 'node:path';
import {
  type ContentEditor,
  createContentEditor,
  type SaveResult,
} from '../../../core/content/editing/save-changes.ts';
import { findCurrentBuild } from '../../../core/http/current-build.ts';
import { findDeadContentLinks } from '../../build/check-content-links.ts';
import type { DeskDeps } from '../desk-deps.ts';

/** All areas of the desk save through it, so that every change can be undone. */
export function openEditor({ root, services }: Pick<DeskDeps, 'root' | 'services'>): ContentEditor {
  return createContentEditor(join(root, 'content'), join(services.config.dataDir, 'desk-history'), {
    findMore: (folder, files) =>
      findDeadContentLinks(folder, { files, build: findCurrentBuild(join(root, 'dist')) }),
  });
}

/** Undefined where it was saved, or nothing had changed. */
export function describeSaveFailure(result: SaveResult): string | undefined {
  if (result.state === 'changed-meanwhile')
    return 'This was changed elsewhere while you worked on it. Open the page again and repeat your change.';
  if (result.state === 'refused')
    return result.errors
      .map(({ file, field, reason }) => `${file}: ${field ? `${field} ` : ''}${reason}.`)
      .join(' ');
  return result.state === 'failed' ? result.reason : undefined;
}
