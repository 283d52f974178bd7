import type { ContentOf } from '../../core/content/content-part.ts';
import type { messagesContent } from '../messages/index.ts';

export type OwnerFact = { term: string; lines: string[] };

/** What the owner has filled in of company.yaml's promises and people, with its names from contact.yaml. */
export function listOwnerFacts({
  company,
  contact,
}: Pick<ContentOf<[typeof messagesContent]>, 'company' | 'contact'>): OwnerFact[] {
  const { people, ...promises } = contact.promises;
  const names = Object.keys(promises) as (keyof typeof promises)[];
  const filled = names.flatMap(name => {
    const promise = company.promises[name];
    return promise === null ? [] : [{ term: promises[name], lines: [promise] }];
  });
  const lines = company.people.map(({ name, role }) => `${name}, ${role}`);
  return lines.length > 0 ? [...filled, { term: people, lines }] : filled;
}
