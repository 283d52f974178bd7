import { domainToASCII } from 'node:url';

const mailbox = /^([a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64})@([^\s@<>()[\]\\,;:"]{1,253})$/iu;

export function parseMailAddress(text: string): string | undefined {
  const [, local, domain] = mailbox.exec(text) ?? [];
  const host = domain && domainToASCII(domain);
  return host && /^[a-z0-9.-]+$/.test(host) ? `${local}@${host}` : undefined;
}
