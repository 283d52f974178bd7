export type ReceivedMail = {
  /** From the SMTP envelope, not from the mail's headers. */
  from: string;
  to: string[];
  raw: string;
  headers: [name: string, value: string][];
  header(name: string): string | undefined;
  /** The body, decoded; of a mail that says the same in two ways, the part that is text. */
  text: string;
  html?: string;
};

type Entity = Pick<ReceivedMail, 'headers' | 'header'> & { body: string };

/** Reads a mail of one part, or of alternatives, with no help from the library that wrote it. */
export function readMail({ from, to, raw }: { from: string; to: string[]; raw: Buffer }): ReceivedMail {
  const whole = raw.toString('utf8');
  const mail = readEntity(whole);
  const { headers, header } = mail;
  const parts = partsOf(mail);
  const bodyOf = (type: string) => {
    const part = parts.find(({ header }) => header('Content-Type')?.startsWith(type));
    return part && decode(part);
  };
  const html = bodyOf('text/html');
  const text = parts.length === 1 ? decode(mail) : (bodyOf('text/plain') ?? '');
  return { from, to, raw: whole, headers, header, text, ...(html === undefined ? {} : { html }) };
}

function readEntity(text: string): Entity {
  const split = text.indexOf('\r\n\r\n');
  const head = text.slice(0, split).replaceAll(/\r\n(?=[ \t])/g, '');
  const headers = head.split('\r\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  return { headers, header, body: text.slice(split + 4) };
}

/** What stands between the lines of its boundary; a mail of one part is its own only one. */
function partsOf(mail: Entity): Entity[] {
  const [, boundary] =
    /^multipart\/alternative;.*boundary="([^"]+)"/.exec(mail.header('Content-Type') ?? '') ?? [];
  if (!boundary) return [mail];
  const [, ...parts] = `\r\n${mail.body}`.split(`\r\n--${boundary}`);
  if (!parts.pop()?.startsWith('--')) throw new Error('the mail breaks off before its end');
  return parts.map(part => readEntity(part.slice(2)));
}

function decode({ header, body }: Entity): string {
  return decodeBytes(body, header('Content-Transfer-Encoding')).replaceAll('\r\n', '\n');
}

function decodeBytes(body: string, encoding = ''): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(encoding)) return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
