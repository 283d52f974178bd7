import { join } from 'node:path';
import { createSampleReport } from '../../src/build/sample-report.ts';
import { readContent } from '../../src/content/read-content.ts';
import type { AuditRunner } from '../../src/server/audit-runner.ts';
import { root } from '../harness/site.ts';

/** Finds in every domain what the sample report shows; the second half of the results waits for `release`. */
export function createSampleRunner() {
  const { content } = readContent(join(root, 'content'));
  if (!content) throw new Error('content/ has errors');
  const { id: _, ...sample } = createSampleReport(content.audit);
  const half = Math.ceil(sample.results.length / 2);
  let gate = Promise.withResolvers<void>();
  return {
    async *run(domain) {
      const report = JSON.parse(JSON.stringify(sample).replaceAll(sample.domain, domain)) as typeof sample;
      const { results } = report;
      yield { type: 'started', checks: results.map(({ check, group }) => ({ check, group })) };
      for (const result of results.slice(0, half)) yield { type: 'result', result };
      await gate.promise;
      gate = Promise.withResolvers();
      for (const result of results.slice(half)) yield { type: 'result', result };
      yield { type: 'report', report: { ...report, measuredAt: new Date().toISOString() } };
    },
    close: async () => undefined,
    release: () => gate.resolve(),
  } satisfies AuditRunner & { release(): void };
}
