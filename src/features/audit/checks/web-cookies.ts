import type { Check } from '../check.ts';
import { fetchHomePage, readHeaders } from '../home-page.ts';

/** Names that frameworks give to the cookie of a login or session. */
const sessionName = /sess|auth|login|token|jwt|^(__(host|secure)-)?s?id$|\bsid\b|connect\.sid/i;

/** Scripts must read the token of a framework against forged requests. */
const forgeryName = /[cx]srf/i;

export const webCookies: Check = {
  id: 'web-cookies',
  group: 'web',
  findings: {
    none: 'passed',
    guarded: 'passed',
    'session-without-samesite': 'attention',
    'without-secure': 'attention',
    'session-without-httponly': 'failed',
    'session-without-secure': 'failed',
  },
  async run(context) {
    const { responses } = await fetchHomePage(context);
    const cookies = responses.flatMap(response => readHeaders(response, 'set-cookie')).map(parseCookie);
    if (cookies.length === 0) return { finding: 'none' };
    const sessions = cookies.filter(({ name }) => sessionName.test(name) && !forgeryName.test(name));
    const found = [
      { finding: 'session-without-secure', of: sessions.filter(({ flags }) => !flags.has('secure')) },
      { finding: 'session-without-httponly', of: sessions.filter(({ flags }) => !flags.has('httponly')) },
      { finding: 'without-secure', of: cookies.filter(({ flags }) => !flags.has('secure')) },
      { finding: 'session-without-samesite', of: sessions.filter(({ flags }) => !flags.has('samesite')) },
      { finding: 'guarded', of: cookies },
    ].find(({ of }) => of.length > 0);
    const named = found?.of ?? [];
    return {
      finding: found?.finding ?? 'guarded',
      values: { cookies: named.map(({ name }) => name).join(', ') },
      evidence: named.map(({ name, flags }) => `${name}: ${[...flags].join(', ') || 'no flags'}`),
    };
  },
};

/** The value of a cookie is a secret of the visit: it is read by no one and kept nowhere. */
function parseCookie(header: string): { name: string; flags: Set<string> } {
  const [pair = '', ...attributes] = header.split(';');
  const flags = attributes.map(one => (one.split('=')[0] ?? '').trim().toLowerCase());
  return {
    name: (pair.split('=')[0] ?? '').trim(),
    flags: new Set(flags.filter(one => ['secure', 'httponly', 'samesite'].includes(one))),
  };
}
