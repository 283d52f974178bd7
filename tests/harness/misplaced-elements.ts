import { type Token, Tokenizer } from 'parse5';

/** Elements that may hold only text and what stands within a line (the HTML standard's phrasing content). */
const lines = new Set(
  'abbr b bdi button cite code em h1 h2 h3 h4 h5 h6 i kbd label legend mark p pre q small span strong sub summary sup time'.split(
    ' ',
  ),
);
const blocks = new Set(
  'address article aside blockquote dd details dialog div dl dt fieldset figcaption figure footer form header hr li main nav ol p pre section table ul'.split(
    ' ',
  ),
);
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const headed = ['summary', 'legend'];
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** As they are written: a parser closes a paragraph before a block, and tells nobody. */
export function findMisplaced(html: string): string[] {
  const open: string[] = [];
  const misplaced: string[] = [];
  const ignore = () => undefined;
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, selfClosing }: Token.TagToken) {
        const parent = open.findLast(name => lines.has(name));
        const isHeading = headings.includes(tagName) && !headed.includes(parent ?? '');
        if (parent && (blocks.has(tagName) || isHeading)) misplaced.push(`<${tagName}> in <${parent}>`);
        if (!selfClosing && !empty.has(tagName)) open.push(tagName);
      },
      onEndTag({ tagName }: Token.TagToken) {
        const at = open.lastIndexOf(tagName);
        if (at >= 0) open.splice(at);
        else misplaced.push(`</${tagName}> without a beginning`);
      },
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  tokenizer.write(html.replaceAll(/<(script|style)\b.*?<\/\1>/gs, ''), true);
  return misplaced;
}
