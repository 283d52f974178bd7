import { createHash } from 'node:crypto';
import type { ContentOf } from '../../core/content/content-part.ts';
import type { siteContent } from '../site/index.ts';
import type { newsletterContent } from './content.ts';

type Content = ContentOf<[typeof siteContent, typeof newsletterContent]>;

export type ConsentText = { id: string; text: string };

export function readConsentTexts(
  content: Pick<Content, 'home' | 'site' | 'newsletter'>,
): Record<'home' | 'footer' | 'newsletter', ConsentText> {
  return {
    home: withId(content.home.newsletter.note),
    footer: withId(content.site.footer.newsletter.note),
    newsletter: withId(content.newsletter.form.note),
  };
}

export function consentTextId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function withId(text: string): ConsentText {
  return { id: consentTextId(text), text };
}
