import { readContent } from '../../core/content/read-content.ts';
import type { DataController } from './export-person.ts';

/** What an export says about the company. Without the company while content/ has errors. */
export function readDataController(
  { siteUrl }: { siteUrl: string | undefined },
  folder: string,
): DataController {
  const { content } = readContent([], folder);
  return {
    ...(content && { name: content.brand.name, ...describeCompany(content.company) }),
    ...(siteUrl && { policy: `${siteUrl}/privacy` }),
  };
}

function describeCompany({ email, address }: { email: string; address: string[] }) {
  return { email, address: address.join(', ') };
}
