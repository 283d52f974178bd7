import { privacy } from 'content:privacy';
import { PolicyPage } from '../../../ui/components/policy-page.tsx';

export function Component() {
  return <PolicyPage page="privacy" policy={privacy} />;
}
