/** Hosts are set where a service, not our own server, receives messages; periods are unset where there is no limit. */
export type Hosting = {
  contactHost?: string;
  newsletterHost?: string;
  keepMessages?: string;
  keepQuarantine?: string;
  audit?: 'off';
};

/** A paragraph or list entry that begins with a condition such as `{server}` is left out where it does not hold. */
export function adaptToHosting<T>(content: T, hosting: Hosting): T {
  const { contactHost, newsletterHost, keepMessages, keepQuarantine, audit } = hosting;
  const conditions: Record<string, boolean> = {
    server: !contactHost,
    static: !!contactHost,
    audit: !contactHost && audit !== 'off',
    newsletterService: !!newsletterHost,
    newsletterMail: !!contactHost && !newsletterHost,
    messagesExpire: !contactHost && !!keepMessages,
    messagesStay: !contactHost && !keepMessages,
    quarantineExpires: !contactHost && !!keepQuarantine,
    quarantineStays: !contactHost && !keepQuarantine,
  };

  function adapt(value: unknown): unknown {
    if (Array.isArray(value)) return value.filter(applies).map(adapt);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, adapt(item)]));
    return typeof value === 'string' ? fill(value) : value;
  }

  function applies(item: unknown): boolean {
    const condition = leadingCondition.exec(findFirstText(item))?.[1];
    return condition === undefined || conditions[condition] === true;
  }

  function fill(text: string): string {
    return text
      .replace(leadingCondition, '')
      .replaceAll(placeholder, (_, name: keyof Hosting) => hosting[name] ?? '');
  }

  return adapt(content) as T;
}

const conditionNames =
  'server|static|audit|newsletterService|newsletterMail|messagesExpire|messagesStay|quarantineExpires|quarantineStays';
const valueNames = 'contactHost|newsletterHost|keepMessages|keepQuarantine';
const leadingCondition = new RegExp(`^\\{(${conditionNames})\\}\\s*`);
const placeholder = new RegExp(`\\{(${valueNames})\\}`, 'g');

export const hostingPlaceholders = `${conditionNames}|${valueNames}`.split('|');

function findFirstText(item: unknown): string {
  if (Array.isArray(item)) return findFirstText(item[2]);
  return typeof item === 'string' ? item : '';
}
