import PostalMime, { type Address } from 'postal-mime';

const maxDepth = 10;

/** `text` has all that may name a person, as it is and decoded, also in attached mails. A torn mail is read as far as it goes. */
export async function readMail(
  bytes: Buffer,
  depth = 0,
): Promise<{ to: string; replyTo: string; text: string }> {
  if (depth > maxDepth) throw new Error('more mails are attached to each other than can be read');
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? '';
  const people = [mail.from, mail.sender, ...(mail.replyTo ?? []), ...(mail.to ?? []), ...(mail.cc ?? [])];
  const attached: string[] = [];
  for (const { filename, mimeType, content } of mail.attachments) {
    const part = Buffer.from(content as ArrayBuffer);
    const isMail = mimeType === 'message/rfc822' || /\.eml$/i.test(filename ?? '');
    attached.push(filename ?? '', isMail ? (await readMail(part, depth + 1)).text : part.toString('utf8'));
  }
  const texts = [
    ...[bytes.toString('utf8'), mail.subject, mail.text, mail.html],
    ...people.map(person => person && formatAddress(person)),
    ...attached,
  ];
  return { to: header('to').trim(), replyTo: header('reply-to'), text: texts.filter(Boolean).join('\n') };
}

function formatAddress({ name, address, group }: Address): string {
  return [name, address, ...(group ?? []).map(formatAddress)].join('\n');
}
