export type ReceivedMail = {
  /** As the server was told, whatever the mail says. */
  from: string;
  to: string[];
  raw: string;
  headers: [name: string, value: string][];
  header(name: string): string | undefined;
  /** The body, decoded. */
  text: string;
};

/** Reads a mail of one part with no help from the library that wrote it. */
export function readMail({ from, to, raw }: { from: string; to: string[]; raw: Buffer }): ReceivedMail {
  const whole = raw.toString('utf8');
  const split = whole.indexOf('\r\n\r\n');
  const head = whole.slice(0, split).replaceAll(/\r\n(?=[ \t])/g, '');
  const headers = head.split('\r\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  const body = decode(whole.slice(split + 4), header('Content-Transfer-Encoding'));
  return { from, to, raw: whole, headers, header, text: body.replaceAll('\r\n', '\n') };
}

function decode(body: string, encoding = ''): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(encoding)) return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
