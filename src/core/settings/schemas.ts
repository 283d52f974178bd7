import * as v from 'valibot';

export const onOff = v.pipe(
  choice('on', 'off'),
  v.transform(value => value === 'on'),
);

export function choice<const Name extends string>(...names: Name[]) {
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
  return v.pipe(v.string(), v.picklist(names, list));
}

export function wholeNumber({ min = 0, max, unit = '', zero = '' }: NumberRange) {
  const expected = `a whole number${unit && ` of ${unit}`} from ${min}${zero && ` (${zero})`} to ${max}`;
  return v.pipe(
    matching(/^\d{1,9}$/, expected),
    v.transform(Number),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

type NumberRange = { min?: number; max: number; unit?: string; zero?: string };

export function matching(pattern: RegExp, expected: string) {
  return v.pipe(v.string(), v.regex(pattern, expected));
}

/** `parse` returns undefined for what it does not accept. */
export function parsedBy<T>(parse: (text: string) => T | undefined, expected: string) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value);
      if (value !== undefined) return value;
      addIssue({ message: expected });
      return NEVER;
    }),
  );
}

export function listOf<T>(parse: (text: string) => T | undefined, expected: string) {
  return parsedBy(value => {
    const texts = value.split(/[\s,]+/).filter(Boolean);
    const parsed = texts.map(parse).filter(one => one !== undefined);
    return parsed.length === texts.length ? parsed : undefined;
  }, expected);
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** For personal data: https, or http on this machine; without a password, because URLs are logged. */
export function parseSecureUrl(value: string): URL | undefined {
  const url = URL.parse(value);
  if (!url || url.username || url.password) return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
    ? url
    : undefined;
}

export const webhookSecretFormat =
  'whsec_ and 24 to 64 bytes in base64, such as "whsec_$(openssl rand -base64 32)" makes';

export const webhookSecret = parsedBy(parseWebhookSecret, webhookSecretFormat);

function parseWebhookSecret(value: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}
