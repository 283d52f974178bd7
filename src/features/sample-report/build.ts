import type { BuildPart } from '../../core/content/build-part.ts';
import type { ContentOf } from '../../core/content/content-part.ts';
import type { sampleReportContent } from './content.ts';
import { selectSampleExcerpts } from './sample-excerpts.ts';

type Content = ContentOf<[typeof sampleReportContent]>;

const excerpts = ['sheet', 'exposure', 'finding', 'summary', 'retest'] as const;

export const sampleReportBuild: BuildPart<Content> = {
  name: 'sample-report',
  modules: Object.fromEntries(
    excerpts.map(name => [`sample/${name}`, ({ sample }: Content) => selectSampleExcerpts(sample)[name]]),
  ),
};
