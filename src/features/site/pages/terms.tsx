import { terms } from 'content:terms';
import { PolicyPage } from '../../../ui/components/policy-page.tsx';

export function Component() {
  return <PolicyPage page="terms" policy={terms} />;
}
