/**
 * Who receives what a visitor sends: our own server, or, on a host without one, services named by their hosts. And for how
 * long the server keeps it, in words; unset, as long as it is needed.
 */
export type Hosting = {
  contactHost?: string;
  newsletterHost?: string;
  keepMessages?: string;
  keepQuarantine?: string;
  /** Whether it counts how often pages are shown. */
  countsViews?: boolean;
};

/**
 * Words that are true of one way of hosting only begin with its mark: `{server}`, `{static}`, `{newsletterService}` or
 * `{newsletterMail}`; of what a server keeps, `{messagesExpire}` or `{messagesStay}` and `{quarantineExpires}` or
 * `{quarantineStays}`; of how often pages are shown, `{counted}` or `{uncounted}`. A paragraph or an entry of a list with another mark is left out.
 */
export function fitToHosting<T>(content: T, hosting: Hosting): T {
  const { contactHost, newsletterHost, keepMessages, keepQuarantine, countsViews } = hosting;
  const isTrue: Record<string, boolean> = {
    server: !contactHost,
    static: !!contactHost,
    newsletterService: !!newsletterHost,
    newsletterMail: !!contactHost && !newsletterHost,
    messagesExpire: !contactHost && !!keepMessages,
    messagesStay: !contactHost && !keepMessages,
    quarantineExpires: !contactHost && !!keepQuarantine,
    quarantineStays: !contactHost && !keepQuarantine,
    counted: !contactHost && !!countsViews,
    uncounted: !!contactHost || !countsViews,
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
    return text.replace(marked, '').replaceAll(named, (_, name: NamedFact) => hosting[name] ?? '');
  }

  return adapt(content) as T;
}

const marked =
  /^\{(server|static|newsletterService|newsletterMail|messagesExpire|messagesStay|quarantineExpires|quarantineStays|counted|uncounted)\}\s*/;
type NamedFact = Exclude<keyof Hosting, 'countsViews'>;
const named = /\{(contactHost|newsletterHost|keepMessages|keepQuarantine)\}/g;

/** The first words of a text, or of a paragraph or entry: its tag and attributes stand before its children. */
function openingOf(item: unknown): string {
  if (Array.isArray(item)) return openingOf(item[2]);
  return typeof item === 'string' ? item : '';
}
