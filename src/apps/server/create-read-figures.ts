import type { ReportCounts } from '../../core/database/report-counts.ts';
import { countFailures } from '../../core/figures/count-failures.ts';
import type { ReadFigures } from '../../core/figures/figure.ts';
import { listWeeks } from '../../core/figures/weeks.ts';
import { features, receiverTypes } from '../../features.ts';

export function createReadFigures(needs: { domainDeps: { reportCounts: ReportCounts } }): ReadFigures {
  return async ({ now, weeks: count }) => {
    const weeks = listWeeks(now, count);
    const figures = [];
    for (const feature of features) {
      const source = await feature.figures?.();
      if (source) figures.push(...(await source.read(needs, weeks)));
    }
    const names = receiverTypes.map(({ name }) => name);
    return [...figures, await countFailures(needs.domainDeps.reportCounts, names, weeks)];
  };
}
