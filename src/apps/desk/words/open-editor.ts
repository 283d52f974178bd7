import { join } from 'node:path';
import { type ContentEditor, createContentEditor } from '../../../core/content/editing/save-changes.ts';
import { findCurrentBuild } from '../../../core/http/current-build.ts';
import { contentParts } from '../../../features.content.ts';
import { findDeadContentLinks } from '../../build/check-content-links.ts';
import type { Services } from '../../server/wire.ts';

/** All areas of the desk save through it, so that every change can be undone. */
export function openEditor({
  root,
  services,
}: {
  root: string;
  services: Pick<Services, 'config'>;
}): ContentEditor {
  return createContentEditor(
    contentParts,
    join(root, 'content'),
    join(services.config.dataDir, 'desk-history'),
    {
      findMore: (folder, files) =>
        findDeadContentLinks(folder, { files, build: findCurrentBuild(join(root, 'dist')) }),
    },
  );
}
