import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import type { Fetched } from '../../core/network/network.ts';
import { parseUrl } from '../../core/network/parse-url.ts';

/** `text` is the content of a script or style sheet. */
export type StartTag = { name: string; attributes: ReadonlyMap<string, string>; text: string };

export const maxTags = 20_000;

/** Elements whose content is text for a browser that runs scripts: no tag inside of them counts. */
const textModes = new Map<string, Tokenizer['state']>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript'].map(
    name => [name, TokenizerMode.RAWTEXT] as const,
  ),
  ['textarea', TokenizerMode.RCDATA],
  ['title', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

/**
 * The start tags of a page. Only the tokenizer of parse5 is used, which takes linear time: from hostile HTML, the tree
 * builder makes far more elements than the page has tags.
 */
export function readStartTags({ body }: Pick<Fetched, 'body'>): StartTag[] {
  const tags: StartTag[] = [];
  const ignore = () => undefined;
  let open: StartTag | undefined;
  const keepText = ({ chars }: Token.CharacterToken) => {
    if (open) open.text += chars;
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, attrs }: Token.TagToken) {
        const attributes = new Map(attrs.map(({ name, value }) => [name, value]));
        const tag = { name: tagName, attributes, text: '' };
        if (tags.length < maxTags) tags.push(tag);
        open = ['script', 'style'].includes(tagName) ? tag : undefined;
        tokenizer.state = textModes.get(tagName) ?? tokenizer.state;
      },
      onEndTag() {
        open = undefined;
      },
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: keepText,
      onNullCharacter: ignore,
      onWhitespaceCharacter: keepText,
    },
  );
  tokenizer.write(body, true);
  return tags;
}

/** The content of `<meta http-equiv=…>` or `<meta name=…>`. */
export function readMeta(tags: readonly StartTag[], kind: 'http-equiv' | 'name', name: string): string[] {
  return tags
    .filter(tag => tag.name === 'meta' && tag.attributes.get(kind)?.trim().toLowerCase() === name)
    .map(({ attributes }) => attributes.get('content') ?? '');
}

const maxBaseLength = 2000;

/** A long one is cut to its host: it is repeated in the URL of each of 20,000 tags. */
export function findBaseUrl(tags: readonly StartTag[], pageUrl: string): string {
  const base = tags.find(({ name }) => name === 'base')?.attributes.get('href');
  const url = parseUrl(base ?? '', pageUrl) ?? new URL(pageUrl);
  return url.href.length > maxBaseLength ? url.origin : url.href;
}
