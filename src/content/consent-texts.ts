import { createHash } from 'node:crypto';
import type { Content } from './schemas/all-schemas.ts';

export type Wording = { id: string; text: string };

export function readWordings(
  content: Pick<Content, 'home' | 'site' | 'newsletter'>,
): Record<'home' | 'footer' | 'newsletter', Wording> {
  return {
    home: name(content.home.newsletter.note),
    footer: name(content.site.footer.columns.newsletter.note),
    newsletter: name(content.newsletter.box.note),
  };
}

/** A digest of the text alone: another text has another id. */
export function wordingId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function name(text: string): Wording {
  return { id: wordingId(text), text };
}
