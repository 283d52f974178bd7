const words: Record<string, string> = {
  cta: 'Call to action',
  url: 'Web address',
  id: 'Name in web addresses',
  slug: 'Name in web addresses',
  faq: 'FAQ',
  rss: 'RSS',
  vat: 'VAT',
  body: 'Text',
};

/** The id of a field of a form, by its path such as intro/points/1/title. */
export function fieldId(path: string): string {
  return `field-${path.replaceAll('/', '.')}`;
}

/** Such as 'Call to action' for callToAction. */
export function toLabel(name: string): string {
  const spaced = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase();
  return words[name] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Such as 'Intro, Points 2, Title' for the path intro/points/1/title. */
export function toPathLabel(path: string): string {
  const labels: string[] = [];
  for (const name of path.split('/')) {
    if (/^\d+$/.test(name)) labels.push(`${labels.pop() ?? ''} ${Number(name) + 1}`.trim());
    else labels.push(toLabel(name));
  }
  return labels.join(', ');
}
