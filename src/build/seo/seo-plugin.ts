import type { Plugin } from 'vite';
import { getContentType } from '../../server/static-files.ts';
import type { PageSettings } from '../../site/page-settings.ts';
import { listPictures } from '../blog/list-pictures.ts';
import { servedWords } from '../content-plugin.ts';
import { listFoundFiles, postsOf } from './seo-files.ts';

/** Under the dev server: serves the files that a build generates, from the content as it is now. */
export function foundPlugin({ SITE_URL }: PageSettings): Plugin {
  return {
    name: 'found',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = request.url?.split('?')[0] ?? '';
        if (!/^\/((share|blog|images)\/)*[\w-]+\.(txt|xml|webmanifest|ico|png|jpg|webp)$/.test(path))
          return next();
        try {
          const { content, views } = servedWords(server);
          const files = [
            ...listFoundFiles(content, views, SITE_URL || undefined),
            ...listPictures(postsOf(views)),
          ];
          const file = files.find(found => found.path === path);
          if (!file) return next();
          const body = await file.make();
          response.setHeader('content-type', getContentType(path));
          response.end(body);
        } catch (error) {
          next(error);
        }
      });
    },
  };
}
