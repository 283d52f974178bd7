import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bouncesPath,
  consentTextField,
  contactPath,
  formField,
  honeypotField,
  idempotencyHeader,
  leaveQuery,
  type MessageInput,
  messageFields,
  type NewsletterInput,
  newsletterPath,
  stepPaths,
  tokenHeader,
  tokenQuery,
  unsentField,
} from '../../src/api/contract.ts';
import { root } from './site.ts';

/** What must not be left of a person. It is all that their own words share with their address. */
export const marker = 'qz7marker';
export const person = `${marker}@example.org`;
const written = 'Qz7Marker@Example.org';
const encoded = encodeURIComponent(person);
const other = 'other@example.com';

export const bounceSecret = Buffer.from('a secret of thirty-two letters..');

export type Route = { method: string; path: string };
export type Probe = Route & { headers: Record<string, string>; body: string; isTaken?: boolean };

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

function typed(type: string, body: string, isTaken = false): Omit<Probe, keyof Route> {
  return { headers: { 'content-type': type }, body, isTaken };
}
const asJson = (value: unknown) => typed(json, JSON.stringify(value), true);
const asForm = (fields: Record<string, string>) => typed(form, String(new URLSearchParams(fields)), true);
const everyField = (words: string) =>
  Object.fromEntries(messageFields.map(name => [name, words])) as MessageInput;

/** Their own words hold the marker alone; what others write holds the address, by which alone it is known as theirs. */
const own: MessageInput = { ...everyField(`says ${marker}`), email: written };
const mention: MessageInput = { ...everyField(`ask ${person}, please`), email: other };
const signUp: Record<keyof NewsletterInput, string> = { email: person, form: person, wording: person };

/** What each endpoint takes in its body, signed now. One that is not named here fails the test. */
const writeBodies = (): Record<string, Omit<Probe, keyof Route>[]> => ({
  [contactPath]: [
    asJson({ ...own, [person]: person, [honeypotField]: person }),
    asJson({ ...everyField(`says ${marker}`), email: '', name: person }),
    asJson(mention),
    asForm({ ...own, [formField]: person, [honeypotField]: person, [person]: person }),
    asForm({ ...own, [unsentField]: JSON.stringify({ fields: own, key: `own:${person}` }) }),
    asForm({
      ...mention,
      [unsentField]: JSON.stringify({ fields: mention, key: `mention:${person}`, [person]: person }),
    }),
    typed(json, `{"email":"${person}`),
    typed(form, `email=%${person}`),
    asJson({ ...everyField(''), email: other, [honeypotField]: person }),
  ],
  [newsletterPath]: [
    asJson({ ...signUp, [person]: person }),
    asForm({ ...signUp, email: written, [person]: person }),
    asJson({ ...signUp, email: other }),
    asForm({ email: other, [formField]: person, [consentTextField]: person }),
    typed(json, `{"email":"${person}`),
    typed(json, JSON.stringify({ ...signUp, email: `${person}/` })),
  ],
  [stepPaths.confirm]: [typed(form, `${encoded}=${encoded}`)],
  [stepPaths.leave]: [typed(form, `List-Unsubscribe=One-Click&${encoded}=${encoded}`)],
  [bouncesPath]: [
    signed({ type: 'bounce', address: person, [person]: person }),
    signed([{ type: 'email.complained', data: { to: [person], bounce: { message: person } } }]),
    signed({ type: person, address: person }),
    typed(json, JSON.stringify({ type: 'bounce', address: person })),
  ],
});

function signed(value: unknown) {
  const body = JSON.stringify(value);
  const seconds = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', bounceSecret).update(`${person}.${seconds}.${body}`).digest('base64');
  const headers = {
    'content-type': json,
    'webhook-id': person,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': `v1,${mac}`,
  };
  return { headers, body, isTaken: true };
}

/** Every header that the sources look at, and what browsers and proxies send besides. */
export function headerNames(): string[] {
  const sources = ['src/api', 'src/server'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /(?<!\.test)\.ts$/.test(name))
      .map(name => readFileSync(join(root, folder, name), 'utf8')),
  );
  const read = /headers(?:\.get\(|\[)['"]([\w-]+)['"]|headers\.(upgrade|host|cookie|referer)\b/g;
  const found = sources.flatMap(text =>
    [...text.matchAll(read)].map(([, name, property]) => name ?? property ?? ''),
  );
  const sent = `host connection content-length user-agent referer cookie accept accept-language accept-encoding from
    authorization forwarded via x-forwarded-host x-forwarded-proto x-real-ip x-request-id traceparent expect range
    webhook-id webhook-timestamp webhook-signature if-modified-since sec-ch-ua x-unheard-of`;
  return [...new Set([...found, idempotencyHeader, tokenHeader, ...sent.split(/\s+/)])];
}

const query = [person, tokenQuery, ...Object.values(leaveQuery)]
  .map(name => `${encodeURIComponent(name)}=${encoded}`)
  .join('&');

/** Every route with the address in its query and in each body it takes; then every header; then paths that are none. */
export function listProbes(routes: readonly Route[]): Probe[] {
  const marked = { 'user-agent': person, referer: `https://${person}/${person}`, cookie: `a=${person}` };
  const bodies = writeBodies();
  const ofRoutes = routes.flatMap(({ method, path }) => {
    const sent = method === 'POST' ? bodies[path] : [{ headers: {}, body: '' }];
    if (!sent) throw new Error(`What does ${method} ${path} take? Name it in ${import.meta.filename}`);
    return sent.map(one => ({
      ...one,
      method,
      path: `${path}?${query}`,
      headers: { ...marked, ...one.headers },
    }));
  });
  const contact = { method: 'POST', path: contactPath };
  const words = { ...everyField('harmless'), email: other };
  const ofHeaders = headerNames().map((name, index) => {
    const { headers, body } = asJson({ ...words, message: `harmless ${index}` });
    return { ...contact, headers: { ...headers, [name]: person }, body };
  });
  const read = { method: 'GET', headers: marked, body: '' };
  const paths = [
    `/${person}`,
    `/${encoded}`,
    `/blog/${person}`,
    `/api/${person}`,
    `/api/${encoded}`,
    contactPath,
    '/contact',
  ];
  const ofPaths = [...paths, `http://127.0.0.1/api/${person}`, `//${person}/`, `/api/\\${person}`].map(
    path => ({
      ...read,
      path: `${path}?${query}`,
    }),
  );
  const connect = { ...read, method: 'CONNECT', path: `${person}:443` };
  return [...ofRoutes, ...ofHeaders, ...ofPaths, connect];
}

/** As bytes: what no client library would send is sent as well. */
export function writeProbe({ method, path, headers, body }: Probe): Buffer {
  const length = Buffer.byteLength(body);
  const all = { host: '127.0.0.1', 'content-length': `${length}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
