import type { readContent } from './read-content.ts';

type Content = NonNullable<ReturnType<typeof readContent>['content']>;

/** What a visitor can choose in the contact form. */
export function listServiceNames({ services: page }: Pick<Content, 'services'>): string[] {
  const { services, engagements, solutions } = page;
  const names = [...services, ...engagements.items, ...solutions.items].map(({ name }) => name);
  return [...new Set(names)];
}
