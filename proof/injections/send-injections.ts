import { contactPath, idempotencyHeader, tokenHeader } from '../../src/features/messages/contract.ts';
import { type MessageFields, mapMessageFields } from '../../src/features/messages/message-fields.ts';
import { consentTextField, newsletterPaths, signUpPath } from '../../src/features/newsletter/contract.ts';
import { formField, honeypotField, unsentField } from '../../src/ui/contract.ts';

/** The author of all messages, whose data is then searched for. */
export const author = 'visitor@example.com';

/** What was answered with 200, by its reference: it is to be found everywhere exactly so. */
export type Sent = Map<string, MessageFields>;

export type Answers = {
  /** Each kind of answer once, without what differs between any two. */
  kinds: Set<string>;
  sent: Sent;
};

type Init = {
  json?: unknown;
  form?: Record<string, string>;
  headers?: Record<string, string>;
};

/** Everything that a stranger can write into, with this text in it, over the wire. */
export function createSender(origin: string) {
  const answers: Answers = { kinds: new Set(), sent: new Map() };

  async function ask(path: string, { json, form, headers = {} }: Init = {}): Promise<string> {
    const isPost = json !== undefined || form !== undefined;
    const contentType = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await fetch(origin + path, {
      redirect: 'manual',
      ...(isPost && {
        method: 'POST',
        body: form ? String(new URLSearchParams(form)) : JSON.stringify(json),
      }),
      headers: { ...(isPost && { 'content-type': contentType }), ...headers },
    });
    const body = await response.text();
    const shown = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
    const words = body
      .replace(/"reference":"[0-9A-Z]{5}-[0-9A-Z]{5}"/, '"reference":"…"')
      .replace(/"requestId":"[\w-]+"/, '"requestId":"…"');
    const reference = /"reference":"([^"]+)"/.exec(body)?.[1] ?? '';
    answers.kinds.add(JSON.stringify([path.startsWith('/api/') ? path : '', response.status, shown, words]));
    return reference;
  }

  async function send(fields: MessageFields, init: Init = {}): Promise<void> {
    const reference = await ask(contactPath, { json: fields, ...init });
    if (reference) answers.sent.set(reference, fields);
  }

  const words = (text: string): MessageFields => ({ ...mapMessageFields(() => text), email: author });
  const empty = mapMessageFields(() => '');

  return {
    answers,
    asMessage: (text: string) => send(words(text)),
    asFields: (name: string, service: string, message: string) =>
      send({ ...empty, name, email: author, message, service }),
    /** Every hidden field as well; the text stands behind whatever a program could take for the end of a cell. */
    asForm: (text: string) =>
      ask(contactPath, {
        form: { ...words(text), message: breakLines(text), [formField]: text, [unsentField]: text },
      }),
    async asEmail(text: string) {
      for (const email of addressesOf(text)) await send({ ...empty, email });
      await ask(signUpPath, { json: { email: `${text}@${ownDomain(text)}`, form: text, wording: text } });
    },
    asSignUp: (text: string) =>
      ask(signUpPath, { form: { email: author, [formField]: text, [consentTextField]: text } }),
    async asHeader(text: string) {
      const value = headerValue(text);
      const headers = { 'user-agent': value, referer: value, cookie: value, [tokenHeader]: value };
      // Beside the fields that are known, one that is named by the text.
      const json = { ...words('by header'), [text]: text };
      await send(words('by header'), { json, headers: { ...headers, 'x-forwarded-for': value } });
      await send(words('by key'), { headers: { [idempotencyHeader]: value } });
    },
    /** As a robot does it that fills in whatever it finds. */
    asTrap: (name: string, message: string) =>
      ask(contactPath, {
        json: { ...words(message), name, [honeypotField]: `${message} https://spam.example/` },
      }),
    async asAddress(text: string) {
      const query = encodeURIComponent(text);
      await ask(`/${query}`);
      await ask(`/contact?${query}=${query}`);
      await ask(`${newsletterPaths.confirm}?token=${query}`, { form: { [text]: text } });
      await ask(`${newsletterPaths.unsubscribe}?id=${query}&key=${query}`, { form: { [text]: text } });
    },
  };
}

export function breakLines(text: string): string {
  return `first;${text}\t${text}\r\n${text}\n"${text}";"${text}`;
}

/** By itself, before the @, in quotes there, and after the end: whichever of them is taken for an address. */
function addressesOf(text: string): string[] {
  return [text, `${text}@example.com`, `"${text}"@example.com`, `a@example.com${text}`];
}

/** Only a share of an hour's confirmation mails goes to one domain. Equal mailboxes stay equal. */
function ownDomain(text: string): string {
  return `length-${text.trim().length}.example`;
}

/** As bytes; what cannot stand in a header at all is left out. */
function headerValue(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ' ')
    .trim();
}
