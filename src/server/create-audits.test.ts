import { expect, test } from 'vitest';
import { createPublicNetwork } from './audit-network.ts';
import { listDenied } from './create-audits.ts';

test('an audit connects neither to a domain that opted out nor to ours, where a redirect or an MX record leads', async () => {
  const siteUrl = 'https://www.wardhouse.co.uk';
  const deny = listDenied({ audit: { isOn: true, deny: ['denied.com'], resolvers: [] }, siteUrl });
  const network = createPublicNetwork(
    { resolvers: ['127.0.0.1:9'], deny, siteUrl },
    AbortSignal.timeout(5000),
  );
  for (const host of ['www.wardhouse.co.uk', 'admin.wardhouse.co.uk', 'mail.denied.com']) {
    await expect(network.fetch(`https://${host}/`)).rejects.toThrow(`${host} is not audited`);
    await expect(network.smtpHello(host)).rejects.toThrow(`${host} is not audited`);
  }
});
