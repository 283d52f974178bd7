/** What we use of lowlight. Its own types bring those of a browser, which hide Node's of the same names. */
export type Grammar = (highlighter: unknown) => unknown;
export type HighlightedNode =
  | { type: 'text'; value: string }
  | { type: 'element'; properties: { className: string[] }; children: HighlightedNode[] };

export const all: Record<string, Grammar>;
export function createLowlight(grammars: Record<string, Grammar>): {
  highlight(language: string, code: string): { children: HighlightedNode[] };
};
