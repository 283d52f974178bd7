/** Quoted-printable, wherever it stands: bytes as latin1 become the text they are. */
export function decodeQuoted(raw: string): string {
  const bytes = raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** What lines of base64 hold, whether or not they are. */
export function decodeBase64(raw: string): string {
  const blocks = raw.match(/(?:^[a-z0-9+/]{4,998}={0,2}\r?$\n?)+/gim) ?? [];
  return blocks.map(block => Buffer.from(block, 'base64').toString('utf8')).join('\n');
}
