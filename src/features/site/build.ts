import type { BuildPart } from '../../core/content/build-part.ts';
import type { ContentOf } from '../../core/content/content-part.ts';
import { selectPolicy } from '../../core/content/select-policy.ts';
import type { messagesContent } from '../messages/index.ts';
import type { siteContent } from './content.ts';
import { listOwnerFacts } from './owner-facts.ts';

export const siteBuild: BuildPart<ContentOf<[typeof siteContent, typeof messagesContent]>> = {
  name: 'site',
  modules: {
    'owner-facts': listOwnerFacts,
    'service-summaries': ({ services }) =>
      services.services.map(({ id, name, summary }) => ({ id, name, summary })),
    // The pages differ by what is on: their scripts need no list of it.
    site: ({ site: { features: _, ...site } }) => site,
    privacy: ({ privacy }) => selectPolicy('privacy', privacy),
    terms: ({ terms }) => selectPolicy('terms', terms),
    security: ({ security }) => selectPolicy('security', security),
  },
};
