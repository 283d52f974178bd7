export type JsonLdNode = { '@type': string; '@id'?: string; [property: string]: unknown };

export const siteLanguage = 'en-GB';

export function companyId(siteUrl: string): string {
  return `${siteUrl}/#company`;
}

/** Schema.org knows no bare number as a width: E37 is the pixel of UN/CEFACT. */
export function describeImage(url: string, { width, height }: { width: number; height: number }): JsonLdNode {
  const pixels = (value: number) => ({ '@type': 'QuantitativeValue', value, unitCode: 'E37' });
  return { '@type': 'ImageObject', url, width: pixels(width), height: pixels(height) };
}
