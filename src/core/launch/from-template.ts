import { type CheckResult, failed } from './check.ts';

/** Only the owner knows whether an example of the template is true of the company. */
export function fromTemplate(values: string[], change: string): CheckResult {
  const named = values.map(value => `'${value}'`).join(', ');
  const isOne = values.length === 1;
  const example = isOne ? 'is an example' : 'are examples';
  return failed(
    `${named} ${example} from the template; make sure that ${isOne ? 'it is' : 'they are'} true of your company`,
    `else ${change}`,
  );
}
