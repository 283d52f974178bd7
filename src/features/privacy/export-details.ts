import type { Config } from '../../apps/server/config.ts';
import { readContent } from '../../core/content/read-content.ts';
import { formatRetention } from '../../lib/format-period.ts';
import type { DataController, RetentionTexts } from './export-person.ts';

/** What an export says about the company and its periods. Without the company while content/ has errors. */
export function readExportDetails(
  { siteUrl, retention }: Pick<Config, 'siteUrl' | 'retention'>,
  folder: string,
): { from: DataController; retention: RetentionTexts } {
  const { content } = readContent([], folder);
  return {
    from: {
      ...(content && { name: content.brand.name, ...describeCompany(content.company) }),
      ...(siteUrl && { policy: `${siteUrl}/privacy` }),
    },
    retention: {
      messages: formatRetention(retention.messagesDays),
      quarantinedMessages: formatRetention(retention.quarantineDays),
      newsletter: 'while it is sent, and after that as proof, until its erasure is asked for',
    },
  };
}

function describeCompany({ email, address }: { email: string; address: string[] }) {
  return { email, address: address.join(', ') };
}
