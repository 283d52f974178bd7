/**
 * Who receives a visitor's message: our own server, or services named by their hosts. And how long the server keeps it,
 * in words; unset, as long as it is needed.
 */
export type Hosting = {
  contactHost?: string;
  newsletterHost?: string;
  keepMessages?: string;
  keepQuarantine?: string;
};

/** A paragraph or list entry that begins with a mark such as `{server}` is left out where the mark is not true. */
export function fitToHosting<T>(content: T, hosting: Hosting): T {
  const { contactHost, newsletterHost, keepMessages, keepQuarantine } = hosting;
  const isTrue: Record<string, boolean> = {
    server: !contactHost,
    static: !!contactHost,
    newsletterService: !!newsletterHost,
    newsletterMail: !!contactHost && !newsletterHost,
    messagesExpire: !contactHost && !!keepMessages,
    messagesStay: !contactHost && !keepMessages,
    quarantineExpires: !contactHost && !!keepQuarantine,
    quarantineStays: !contactHost && !keepQuarantine,
  };

  function adapt(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter(belongs).map(adapt);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, adapt(item)]));
    return typeof value === 'string' ? fill(value) : value;
  }

  function belongs(item: unknown): boolean {
    const mark = marked.exec(openingOf(item))?.[1];
    return mark === undefined || isTrue[mark] === true;
  }

  function fill(text: string): string {
    return text.replace(marked, '').replaceAll(named, (_, name: keyof Hosting) => hosting[name] ?? '');
  }

  return adapt(content) as T;
}

const marks =
  'server|static|newsletterService|newsletterMail|messagesExpire|messagesStay|quarantineExpires|quarantineStays';
const facts = 'contactHost|newsletterHost|keepMessages|keepQuarantine';
const marked = new RegExp(`^\\{(${marks})\\}\\s*`);
const named = new RegExp(`\\{(${facts})\\}`, 'g');

export const hostingNames = `${marks}|${facts}`.split('|');

/** A node's tag and attributes stand before its children. */
function openingOf(item: unknown): string {
  if (Array.isArray(item)) return openingOf(item[2]);
  return typeof item === 'string' ? item : '';
}
