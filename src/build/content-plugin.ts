import type { Plugin } from 'vite';
import { fitToHosting, type Hosting } from '../content/hosting.ts';
import { describeMistake, readContent } from '../content/read.ts';
import type { Content } from '../content/schemas.ts';
import { readWordings } from '../content/wording.ts';
import type { PageSettings } from '../site/page-settings.ts';
import { reloadOnChange } from './reload.ts';

const prefix = 'content:';

/** Lets the site import the owner's words: `import home from 'content:home'`, checked and turned into data. */
export function contentPlugin(folder: string, settings: PageSettings): Plugin {
  let isBuild = false;
  let kept: Content | undefined;

  /** A build reads the words once; while they are being edited, every module reads them anew. */
  function read(): Content {
    if (isBuild && kept) return kept;
    const { content, mistakes } = readContent(folder);
    if (!content) throw new Error(mistakes.map(describeMistake).join('\n'));
    kept = fitToHosting(content, hostingOf(settings));
    return kept;
  }

  return {
    name: 'content',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    buildStart() {
      kept = undefined;
    },
    resolveId: id => (id.startsWith(prefix) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      if (id === `\0${prefix}settings`) return `export default ${JSON.stringify(settings)}`;
      return `export default ${JSON.stringify(pick(read(), id.slice(prefix.length + 1)))}`;
    },
    configureServer: server => reloadOnChange(server, folder),
  };
}

function hostingOf({ CONTACT_ENDPOINT, NEWSLETTER_ENDPOINT }: PageSettings): Hosting {
  return {
    ...(CONTACT_ENDPOINT ? { contactHost: new URL(CONTACT_ENDPOINT).host } : {}),
    ...(NEWSLETTER_ENDPOINT ? { newsletterHost: new URL(NEWSLETTER_ENDPOINT).host } : {}),
  };
}

function pick(content: Content, name: string): unknown {
  if (name === 'service-summaries')
    return content.services.services.map(({ description: _, ...summary }) => summary);
  if (name === 'newsletter-answers') return content.newsletter.answers;
  if (name === 'wordings')
    return Object.fromEntries(Object.entries(readWordings(content)).map(([form, { id }]) => [form, id]));
  if (name in content) return content[name as keyof Content];
  throw new Error(`There is no content named '${name}'`);
}
