import { count } from '../say.ts';

const nouns: Record<string, string> = {
  messages: 'message',
  deliveries: 'delivery',
  subscribers: 'subscriber',
  sign_ups: 'sign-up',
  issues: 'newsletter',
};

/** '1,204 messages, 2,408 deliveries and 3 subscribers': what means something to the owner. */
export function describeCounts(counts: Record<string, number>): string {
  const parts = Object.entries(nouns).flatMap(([table, noun]) => {
    const number = counts[table] ?? 0;
    if (number === 0) return [];
    return [count(number, noun).replace(/ys$/, 'ies')];
  });
  return listOf(parts) || 'no messages and no subscribers';
}

export function listOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
}

/** '3.4 MB' */
export function readableSize(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let size = bytes;
  while (size >= 1000 && units.length > 1) {
    size /= 1000;
    units.shift();
  }
  return `${size < 10 && size !== bytes ? size.toFixed(1) : Math.round(size)} ${units[0]}`;
}
