import type { CheckResult } from './check.ts';
import type { Audit } from './schemas/audit.ts';
import { limitFinding } from './terms.ts';

export type CheckWords = { title: string; text: string; fix?: string | undefined; copy?: string | undefined };

/** The words of content/audit.yaml for a result, with what was measured filled in. */
export function findCheckWords({ groups, report }: Audit, result: CheckResult, domain: string): CheckWords {
  const { check, group, finding, values } = result;
  const { title = check, findings = {} } = groups[group].checks[check] ?? {};
  const { text, fix, copy } = findings[finding] ?? {
    text: finding === limitFinding ? report.limitedCheck : report.notMeasurable,
  };
  const fill = (words: string) =>
    words.replaceAll(/\{(\w+)\}/g, (whole, name) => ({ domain, ...values })[name as string] ?? whole);
  return { title, text: fill(text), fix: fix && fill(fix), copy: copy && fill(copy) };
}
