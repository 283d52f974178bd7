import type { BuildPart } from '../../core/content/build-part.ts';
import type { ContentOf } from '../../core/content/content-part.ts';
import type { siteContent } from '../site/index.ts';
import type { newsletterContent } from './content.ts';
import { readConsentTexts } from './read-consent-texts.ts';

export const newsletterBuild: BuildPart<ContentOf<[typeof siteContent, typeof newsletterContent]>> = {
  name: 'newsletter',
  modules: {
    'newsletter-feedback': ({ newsletter }) => newsletter.feedback,
    'consent-texts': content =>
      Object.fromEntries(Object.entries(readConsentTexts(content)).map(([form, { id }]) => [form, id])),
  },
};
