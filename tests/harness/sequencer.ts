import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files first, because a fresh clone has no recorded durations and a slow last file delays the run. */
const slowest = [
  ...[
    'every-command',
    'edited-site',
    'faults',
    'processes',
    'shutdown',
    'backup',
    'static-build',
    'desk-newsletter',
  ],
  ...['newsletter-commands', 'commands', 'erasure', 'setup', 'privacy-commands', 'start', 'terminal'],
  ...['every-page', 'dev', 'contact-form-offline', 'first-visit', 'carousel', 'static-site', 'desk-words'],
  ...['desk-preview', 'desk-messages', 'desk-health', 'contact-form', 'audit', 'motion'],
  ...['deferred-hydration', 'newsletter-form', 'navigation'],
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
