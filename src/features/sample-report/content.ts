import type { ContentPart, ParsedFiles } from '../../core/content/content-part.ts';
import { createErrorList, listTexts, toList } from '../../core/content/content-values.ts';
import { valueAt } from '../../core/content/source-positions.ts';
import { sample } from './schemas/sample.ts';

const path = 'sample.yaml';

export const sampleReportContent = {
  name: 'sample-report',
  switchHint: 'The sample of a report, and what other pages show of it.',
  files: {
    sample: {
      path,
      schema: sample,
      placeholders: ['number', 'total', 'size'],
      pages: [[]],
      title: 'Sample report',
      group: 'pages',
      preview: '/sample-report',
    },
  },
  findErrors: findUnknownSeverities,
} satisfies ContentPart;

function findUnknownSeverities(files: ParsedFiles) {
  const { errors, addError } = createErrorList(files);
  const scale = listTexts(files, path, 'finding', 'scale');
  for (const list of [['findings'], ['retest', 'findings'], ['retest', 'counts']]) {
    toList(valueAt(files[path]?.value, list)).forEach((one, index) => {
      const severity = valueAt(one, ['severity']);
      if (typeof severity !== 'string' || scale.length === 0 || scale.includes(severity)) return;
      const reason = `is '${severity}', expected one of ${scale.join(', ')}`;
      addError(path, [...list, index, 'severity'], 'severity', reason);
    });
  }
  return errors;
}
