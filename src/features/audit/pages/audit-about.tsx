import { auditAbout as about } from 'content:audit-about';
import { PolicyPage } from '../../../ui/components/policy-page.tsx';

export function Component() {
  return <PolicyPage page="audit-about" policy={about} />;
}
