/** Characters that a terminal or log viewer would interpret: control characters, line separators, bidirectional marks. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const runs = new RegExp(`${controls.source}+`, 'gu');

export function replaceControls(text: string): string {
  return text.replaceAll(runs, ' ');
}

/** As JSON escapes, so that parsing the JSON restores the text. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    controls,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const lineEnds = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** Marks beyond these are drawn over other lines and make a letter wider than a page. */
const stackedMarks = /(\p{M}{8})\p{M}+/gu;

/** For a page: every line end as one, and what would change how other text is shown as a sign, such as [U+202E]. */
export function revealControls(text: string): string {
  return text
    .replaceAll(lineEnds, '\n')
    .replaceAll(stackedMarks, '$1[…]')
    .replaceAll(controls, character =>
      character === '\n' || character === '\t'
        ? character
        : `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}
