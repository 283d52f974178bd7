import type { BuildPart } from '../../core/content/build-part.ts';
import type { ContentOf } from '../../core/content/content-part.ts';
import { selectPolicy } from '../../core/content/select-policy.ts';
import type { auditContent } from './content.ts';
import { getGrading } from './get-grading.ts';
import { auditProgram } from './requests/audit-runner.ts';
import { createSampleReport } from './sample-report.ts';
import { selectAuditPage } from './schemas/audit.ts';

export const auditBuild: BuildPart<ContentOf<[typeof auditContent]>> = {
  name: 'audit',
  modules: {
    'audit-about': content => selectPolicy('audit-about', content['audit-about']),
    'audit-page': ({ audit }, { AUDIT }) =>
      selectAuditPage(audit, createSampleReport(audit), AUDIT === 'off'),
    'audit-sample': ({ audit }) => createSampleReport(audit),
  },
  serverModules: {
    'render-report': 'pages/render-report.tsx',
    'audit-process': 'requests/audit-process.ts',
  },
  listServerData: ({ audit }) => ({ [auditProgram.grading]: getGrading(audit) }),
};
