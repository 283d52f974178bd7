/**
 * What a terminal or a log would obey instead of showing it: control characters, the two line separators of Unicode, and
 * marks that turn the reading direction of what stands beside them.
 */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const runs = new RegExp(`${controls.source}+`, 'gu');

/** One line to be read: each run of them becomes a space. */
export function visible(text: string): string {
  return text.replaceAll(runs, ' ');
}

/** Each of them as its number, in the notation of JSON: what is parsed again is the same text. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    controls,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
