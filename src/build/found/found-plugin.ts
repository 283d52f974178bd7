import type { Plugin } from 'vite';
import { fitToHosting } from '../../content/hosting.ts';
import { readContent } from '../../content/read.ts';
import type { Content } from '../../content/schemas.ts';
import { typeOf } from '../../server/files.ts';
import type { PageSettings } from '../../site/page-settings.ts';
import { listPictures } from '../blog/list-pictures.ts';
import { type ServedWords, servedWords } from '../content-plugin.ts';
import { hostingOf } from '../page-settings.ts';
import { type FoundFile, listFoundFiles } from './files.ts';
import { versionOf } from './pictures.ts';

const moduleId = 'found:pictures';

/**
 * Tells the pages which pictures they are shared with: `import { version } from 'found:pictures'`. Under the dev server it
 * also serves what a build writes beside the pages, from the words as they are now.
 */
export function foundPlugin(folder: string, settings: PageSettings): Plugin {
  const siteUrl = settings.SITE_URL || undefined;

  function words(): Content | undefined {
    const { content } = readContent(folder);
    return content && fitToHosting(content, hostingOf(settings));
  }

  return {
    name: 'found',
    resolveId: id => (id === moduleId ? `\0${moduleId}` : undefined),
    load(id) {
      if (id !== `\0${moduleId}`) return undefined;
      const content = siteUrl ? words() : undefined;
      const version = content && siteUrl ? versionOf(content, siteUrl) : '';
      return `export const version = ${JSON.stringify(version)};`;
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = request.url?.split('?')[0] ?? '';
        if (!/^\/((share|blog|images)\/)*[\w-]+\.(txt|xml|webmanifest|ico|png|jpg|webp)$/.test(path))
          return next();
        try {
          const file = listServed(servedWords(server), siteUrl).find(found => found.path === path);
          if (!file) return next();
          const body = await file.make();
          response.setHeader('content-type', typeOf(path));
          response.end(body);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}

function listServed({ content, views }: ServedWords, siteUrl: string | undefined): FoundFile[] {
  const posts = views.flatMap(view => (view.kind === 'post' ? [view.post] : []));
  return [...listFoundFiles(content, views, siteUrl), ...listPictures(posts)];
}
