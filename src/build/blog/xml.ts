/** An element of XML, around a text or around other elements. */
export function element(name: string, attributes: Record<string, string>, inner?: string | string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const opening = `<${name}${written.join('')}`;
  if (inner === undefined) return `${opening}/>`;
  return `${opening}>${typeof inner === 'string' ? escapeXml(inner) : `\n${inner.join('\n')}\n`}</${name}>`;
}

/** Characters that no XML may hold, however they are written, are left out. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
