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
