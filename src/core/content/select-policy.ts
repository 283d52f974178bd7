import { plainText } from './prose.ts';
import type { Policy } from './schemas/policy.ts';

/** A legal page as browsers get it: the date and the contents are made when the site is built. */
export type PagePolicy = Omit<Policy, 'date'> & {
  dateText: string;
  contents: { id: string; title: string }[];
};

export function selectPolicy(name: string, { date, ...policy }: Policy): PagePolicy {
  return { ...policy, dateText: formatDate(date, name), contents: listHeadings(policy) };
}

/** Privacy and terms have a date such as July 15, 2024, as specified. */
function formatDate(date: string, name: string): string {
  const locale = name === 'privacy' || name === 'terms' ? 'en-US' : 'en-GB';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

function listHeadings({ body }: Pick<Policy, 'body'>): PagePolicy['contents'] {
  return body.flatMap(node => {
    if (typeof node === 'string' || node[0] !== 'h2') return [];
    const [, { id = '' }, ...children] = node;
    return [{ id, title: plainText(children) }];
  });
}
