import { createHash } from 'node:crypto';
import type { Content } from './schemas.ts';

/** The words under a newsletter box, which whoever asks there agrees to. */
export type Wording = { id: string; text: string };

/** One for each place where the newsletter can be asked for. */
export function readWordings(
  content: Pick<Content, 'home' | 'site' | 'newsletter'>,
): Record<'home' | 'footer' | 'newsletter', Wording> {
  return {
    home: name(content.home.newsletter.note),
    footer: name(content.site.footer.columns.newsletter.note),
    newsletter: name(content.newsletter.box.note),
  };
}

/** Made from the words alone: other words have another id, and the same ones always this. */
export function wordingId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function name(text: string): Wording {
  return { id: wordingId(text), text };
}
