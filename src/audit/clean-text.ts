import { replaceControls } from '../lib/control-characters.ts';

const maxLength = 300;

/** Text from outside, on one line, without what a terminal would interpret, and short. */
export function cleanText(text: string): string {
  const clean = replaceControls(text.slice(0, 4 * maxLength).toWellFormed()).trim();
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean;
}
