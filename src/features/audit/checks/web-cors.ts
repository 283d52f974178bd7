import type { Check } from '../check.ts';
import { fetchHomePage, readHeaders } from '../home-page.ts';

/** A name that no one can register (RFC 6761): a server that lets it read the page lets everyone. */
const foreignOrigin = 'https://audit.invalid';

export const webCors: Check = {
  id: 'web-cors',
  group: 'web',
  findings: { closed: 'passed', restricted: 'passed', public: 'passed', everyone: 'failed' },
  async run(context) {
    const { page } = await fetchHomePage(context);
    const response = await context.network.fetch(page.url, { origin: foreignOrigin });
    const [allowed] = readHeaders(response, 'access-control-allow-origin');
    if (allowed === undefined) return { finding: 'closed' };
    const [credentials = ''] = readHeaders(response, 'access-control-allow-credentials');
    const evidence = [
      `Access-Control-Allow-Origin: ${allowed}`,
      ...(credentials ? [`Access-Control-Allow-Credentials: ${credentials}`] : []),
    ];
    if (allowed === foreignOrigin && credentials.toLowerCase() === 'true')
      return { finding: 'everyone', evidence };
    return { finding: allowed === '*' || allowed === foreignOrigin ? 'public' : 'restricted', evidence };
  },
};
