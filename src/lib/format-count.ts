/** Such as '1,204 messages' or '1 reply'. */
export function formatCount(number: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number.toLocaleString('en-GB')} ${number === 1 ? noun : plural}`;
}

export function joinWithAnd(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}
