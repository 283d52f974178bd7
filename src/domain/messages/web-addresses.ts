/**
 * Addresses of web pages, with what leads to them or without: 'https://a.example/b', 'www.a.example', 'a.example'. Parts of
 * an e-mail address are none. Every repetition is short or ends at once, so that no text takes long.
 */
const webAddress =
  /(?:https?:\/\/|(?<![\w.@-])www\.|(?<![\w.@-])(?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24}(?![\w@-]))[\w.~:/?#@!$&'()*+,;=%-]*/gi;

/** Most messages hold nothing like it, and need not be searched. */
const hint = /\w\.\w|:\/\//;

export function findWebAddresses(text: string): string[] {
  return (hint.test(text) && text.match(webAddress)) || [];
}

export function withoutWebAddresses(text: string): string {
  return hint.test(text) ? text.replaceAll(webAddress, ' ') : text;
}
