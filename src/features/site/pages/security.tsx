import { security } from 'content:security';
import { PolicyPage } from '../../../ui/components/policy-page.tsx';

export function Component() {
  return <PolicyPage page="security" policy={security} />;
}
