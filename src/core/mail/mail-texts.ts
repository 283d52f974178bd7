import { getHexColour } from '../content/brand/theme-colours.ts';
import { describeContentError } from '../content/content-error.ts';
import type { ContentOf, ContentPart, Facts } from '../content/content-part.ts';
import { readContent } from '../content/read-content.ts';
import type { Brand } from '../content/schemas/brand.ts';

/** Of the last folder that was read: a publish makes a new one. */
export function readTextsOnce<const Parts extends readonly ContentPart[], Texts>(
  parts: Parts,
  select: (content: ContentOf<Parts>) => Texts,
): (folder: string) => Texts {
  let last: { folder: string; texts: Texts } | undefined;
  return folder => {
    if (last?.folder !== folder) {
      const { content, errors } = readContent(parts, folder);
      if (!content) throw new Error(errors.map(describeContentError).join('\n'));
      last = { folder, texts: select(content) };
    }
    return last.texts;
  };
}

/** What mails to visitors and subscribers have in common. `labels`: of the registration, as in the footer. */
export function createMailFrame(
  { brand, company }: Facts,
  labels: Record<'name' | keyof Facts['company']['registration'], string>,
) {
  return {
    replyTo: company.email,
    registered: describeRegistration({ name: brand.legalName, ...company.registration }, labels),
    brand: {
      logoText: brand.logoText,
      colours: { light: selectMailColours(brand, 'paper'), dark: selectMailColours(brand, 'ink') },
    },
  };
}

function selectMailColours({ colours }: Brand, theme: 'paper' | 'ink') {
  const get = (name: string) => getHexColour(colours, theme, name);
  return {
    surface: get('surface'),
    text: get('text'),
    muted: get('muted'),
    accent: get('accent'),
    hairline: get('hairline'),
  };
}

/** UK companies must show these in mails as on the site. */
function describeRegistration<Name extends string>(
  facts: Record<Name, string | null>,
  labels: Record<Name, string>,
): string[] {
  const names = (Object.keys(labels) as Name[]).filter(name => facts[name]);
  return names.length > 0 ? [names.map(name => `${labels[name]}: ${facts[name]}`).join(', ')] : [];
}
