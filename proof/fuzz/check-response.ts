import { isForApi } from '../../src/apps/server/serve.ts';
import { headerSettings, headersFor } from '../../src/core/http/headers.ts';
import { contactPath } from '../../src/features/messages/contract.ts';
import { newsletterPaths } from '../../src/features/newsletter/contract.ts';
import type { Answer } from './client.ts';
import type { FuzzRequest } from './request-arbitraries.ts';
import { pathMarker, personalMarker } from './text-arbitraries.ts';

const {
  'Cross-Origin-Resource-Policy': _,
  'Cache-Control': __,
  ...everywhere
} = headersFor('api', headerSettings({}));
const statuses = [200, 204, 303, 304, 308, 400, 401, 403, 404, 405, 408, 413, 415, 417, 421, 422, 431];
const pages = new Set<string>([
  '/',
  '/blog',
  '/contact',
  '/creator',
  '/faq',
  '/privacy',
  '/security',
  '/terms-and-condition',
  ...Object.values(newsletterPaths),
]);
const redirects = /^(\/(contact|creator)(\?waiting)?#(sent|empty|refused)|\/newsletter\/[a-z-]+)$/;

/** What holds for every answer, whatever was asked; throws at the first that does not. */
export function checkResponse({ status, headers, head, body }: Answer, { isLimited = false } = {}): void {
  check(statuses.includes(status) || (isLimited && status === 429), `answered ${status}`);
  for (const [name, value] of Object.entries(everywhere)) {
    const found = headers.get(name.toLowerCase()) ?? '';
    check(withoutDigest(found) === withoutDigest(value), `${name} is ${found}`);
  }
  check(headers.has('cache-control') && headers.has('cross-origin-resource-policy'), 'a header is missing');
  for (const name of ['server', 'x-powered-by', 'set-cookie']) check(!headers.has(name), `${name} is there`);
  const location = headers.get('location');
  // To the right spelling of a page the query goes along; nothing else that was sent comes back.
  const told = status === 308 && location ? head.replace(location, '') : head;
  const said = `${told}${body}`.toLowerCase();
  for (const marker of [personalMarker, pathMarker])
    check(!said.includes(marker.toLowerCase()), `it reflects ${marker}`);
  if (status === 303) check(redirects.test(location ?? ''), `it leads to ${location}`);
  if (status === 429) check(Number(headers.get('retry-after')) > 0, 'it does not say how long to wait');
  if (headers.get('content-type') === 'application/problem+json' && body) checkProblem(status, headers, body);
}

/** The sheet that stands in a page is in the policy of that page alone. */
function withoutDigest(value: string): string {
  return value.replace(/style-src 'self' 'sha256-[\w+/=]+'/, "style-src 'self'");
}

/** What holds for the answer to a request that was whole. */
export function checkFullResponse(asked: FuzzRequest, answer: Answer): void {
  const { status, headers, body } = answer;
  const isApi = isForApi(asked.target, asked.method);
  if (isApi) check(headers.get('cache-control') === 'no-store', 'a cache may keep it');
  if (isApi && status >= 400) {
    check(headers.get('content-type') === 'application/problem+json', 'it is no problem document');
    check(asked.method === 'HEAD' || body !== '', 'it says nothing');
  }
  if (status === 308) {
    const [path = '', ...query] = (headers.get('location') ?? '').split('?');
    const [, ...given] = asked.target.split('?');
    check(pages.has(path) && query.join('?') === given.join('?'), `it leads to ${headers.get('location')}`);
  }
  if (asked.isHonest) check(status === 200, `an honest message was answered ${status}`);
  if (asked.target === contactPath && status === 200) {
    check(/^\{"reference":"[0-9A-Z]{5}-[0-9A-Z]{5}"\}$/.test(body), 'there is no reference');
  }
}

function checkProblem(status: number, headers: Answer['headers'], body: string): void {
  const { type, title, status: said, requestId, field, reason, ...more } = JSON.parse(body);
  check(type === 'about:blank' && typeof title === 'string' && said === status, `a problem of ${body}`);
  check(requestId === headers.get('x-request-id'), 'the problem has another id than its answer');
  check(
    [field, reason].every(one => one === undefined || typeof one === 'string'),
    `a problem of ${body}`,
  );
  check(Object.keys(more).length === 0, `a problem of ${body}`);
}

export function check(isRight: boolean, otherwise: string): asserts isRight {
  if (!isRight) throw new Error(otherwise);
}
