import PostalMime, { type Address } from 'postal-mime';

/** `text` has all that may name a person, as it is and decoded. A torn mail is read as far as it goes. */
export async function readMail(bytes: Buffer): Promise<{ to: string; replyTo: string; text: string }> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'utf8' });
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? '';
  const people = [mail.from, mail.sender, ...(mail.replyTo ?? []), ...(mail.to ?? []), ...(mail.cc ?? [])];
  const texts = [
    ...[bytes.toString('utf8'), mail.subject, mail.text, mail.html],
    ...people.map(person => person && formatAddress(person)),
    ...mail.attachments.flatMap(({ filename, content }) => [filename, String(content)]),
  ];
  return { to: header('to').trim(), replyTo: header('reply-to'), text: texts.filter(Boolean).join('\n') };
}

function formatAddress({ name, address, group }: Address): string {
  return [name, address, ...(group ?? []).map(formatAddress)].join('\n');
}
