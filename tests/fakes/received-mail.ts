import PostalMime from 'postal-mime';

export type ReceivedMail = {
  /** From the SMTP envelope, not from the mail's headers. */
  from: string;
  to: string[];
  raw: string;
  headers: [name: string, value: string][];
  header(name: string): string | undefined;
  text: string;
  html?: string;
};

export async function readMail({
  from,
  to,
  raw,
}: {
  from: string;
  to: string[];
  raw: Buffer;
}): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw);
  const headers = mail.headers.map(({ originalKey, value }): [string, string] => [originalKey, value]);
  return {
    from,
    to,
    raw: raw.toString('utf8'),
    headers,
    header: name => headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1],
    text: (mail.text ?? '').replaceAll('\r\n', '\n'),
    ...(mail.html === undefined ? {} : { html: mail.html }),
  };
}
