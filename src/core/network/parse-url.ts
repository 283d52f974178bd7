const maxHostLength = 253;

/** What stands where a host may stand: after a scheme or two slashes, of which browsers also take back ones, up to the path. */
const authority = /^[\0-\x20]*(?:[a-z][a-z0-9+.-]*:[\\/]*|[\\/]{2,})([^\\/?#]*)/i;

/** As URL.parse, but null for a host over 253 characters: turning it to ASCII takes the square of its length. */
export function parseUrl(text: string, base?: string): URL | null {
  // Browsers leave these out before they read a URL.
  const [, place = ''] = authority.exec(text.replaceAll(/[\t\n\r]/g, '')) ?? [];
  const host = place.slice(place.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, '');
  return host.length > maxHostLength ? null : URL.parse(text, base);
}
