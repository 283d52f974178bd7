import type { Plugin } from 'vite';
import type { GeneratedFile } from '../../../core/content/build-part.ts';
import { getContentType } from '../../../core/http/static-files.ts';
import type { PageSettings } from '../../../ui/page-settings.ts';
import { getContentApi, type ServedContent } from '../content-plugin.ts';
import { listPages } from '../create-page-settings.ts';
import { listGeneratedFiles } from './seo-files.ts';

export function seoPlugin(settings: PageSettings): Plugin {
  return {
    name: 'seo',
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const path = request.url?.split('?')[0] ?? '';
        if (!/^\/((share|blog|images)\/)*[\w-]+\.(txt|xml|webmanifest|svg|ico|png|jpg|webp)$/.test(path))
          return next();
        try {
          const file = findGeneratedFile(getContentApi(server).getContent(), settings, path);
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

export function findGeneratedFile(
  { content, views }: ServedContent,
  settings: PageSettings,
  path: string,
): GeneratedFile | undefined {
  const { indexed } = listPages(settings, views);
  const files = listGeneratedFiles(content, views, settings.SITE_URL || undefined, indexed);
  return files.find(found => found.path === path);
}
