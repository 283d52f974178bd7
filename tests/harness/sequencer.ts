import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files first, because a fresh clone has no recorded durations and a slow last file delays the run. */
const slowest = [
  ...[
    'edited-site',
    'faults',
    'processes',
    'shutdown',
    'backup',
    'newsletter-commands',
    'commands',
    'erasure',
  ],
  ...[
    'privacy-commands',
    'setup',
    'static-build',
    'response-headers',
    'start',
    'check-launch',
    'audit-corpus',
  ],
  ...['every-page', 'static-site', 'dev', 'contact-form-offline', 'deferred-hydration', 'motion', 'carousel'],
  ...['newsletter-form', 'first-visit', 'navigation', 'spam-false-positives', 'faq', 'contact-form'],
].map(name => `/${name}.test.ts`);

/** Tests under tests/ start processes or browsers; those beside the code are quick. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowest.findIndex(name => moduleId.endsWith(name));
      if (place >= 0) return place;
      return moduleId.includes('/src/') ? slowest.length + 1 : slowest.length;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}
