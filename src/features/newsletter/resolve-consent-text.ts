import type { Clock } from '../../core/clock.ts';
import type { ConsentTexts } from './consent-texts.ts';

type ConsentText = { id: string; text: string };
export type CurrentConsentTexts = { newsletter: ConsentText } & Record<string, ConsentText>;

type ConsentTextDeps = {
  consentTexts: { readonly current: CurrentConsentTexts };
  stored: ConsentTexts;
  clock: Clock;
};

/** Returns the id of the text that a form showed. The current texts are stored at the first sign-up that meets them. */
export type ResolveConsentText = (form: string, given: string) => Promise<string>;

export function createConsentTextResolver({
  consentTexts,
  stored,
  clock,
}: ConsentTextDeps): ResolveConsentText {
  let storing: { texts: CurrentConsentTexts; ids: Promise<Set<string>> } | undefined;

  /** Once for each publish, which may change the texts. */
  function storeCurrent(): Promise<Set<string>> {
    const texts = consentTexts.current;
    if (storing?.texts !== texts) {
      const ids = storeTexts(texts).catch(error => {
        storing = undefined;
        throw error;
      });
      storing = { texts, ids };
    }
    return storing.ids;
  }

  async function storeTexts(current: CurrentConsentTexts): Promise<Set<string>> {
    const first_used_at = clock.now().toISOString();
    const texts = new Map(Object.values(current).map(({ id, text }) => [id, text]));
    await stored.saveNew([...texts].map(([id, text]) => ({ id, text, first_used_at })));
    return new Set(texts.keys());
  }

  function getCurrentId(form: string): string {
    const { current } = consentTexts;
    return (Object.hasOwn(current, form) ? current[form] : undefined)?.id ?? current.newsletter.id;
  }

  return async (form, given) => {
    if ((await storeCurrent()).has(given)) return given;
    // The page was cached, or open while the text changed.
    const isStored = /^[\w-]{1,64}$/.test(given) && (await stored.get(given));
    return isStored ? given : getCurrentId(form);
  };
}
