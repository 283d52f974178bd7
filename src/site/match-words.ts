/** Text as a search compares it: case, accents, hyphens and other marks left aside, so that 'e-mail' is 'email'. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}\s]/gu, '')
    .toLowerCase();
}

/** Whether folded text holds every word of what a visitor typed, in any order. */
export function holdsWords(folded: string, typed: string): boolean {
  return fold(typed)
    .split(/\s+/)
    .every(word => folded.includes(word));
}
