import type { Sample } from './schemas/sample.ts';

const shownFindings = 4;

/** What other pages show of the sample report, without the rest: it would be in their scripts. */
export function selectSampleExcerpts({ sheet, exposure, finding, findings, summary, retest }: Sample) {
  const { page: _, ...frame } = sheet;
  // The schema demands at least one.
  const { score, vector, reproduce, owner, due, ...first } = findings[0] as Sample['findings'][number];
  const { heading, lead, title, text, path, steps, broken } = summary;
  return {
    sheet: frame,
    exposure,
    finding: { ...finding, ...first },
    summary: { heading, lead, title, text, path, broken, steps: steps.map(({ time, ...step }) => step) },
    retest: { ...retest, findings: retest.findings.slice(0, shownFindings) },
  };
}

export type SampleExcerpts = ReturnType<typeof selectSampleExcerpts>;
