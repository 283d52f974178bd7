import { failed, type LaunchCheck, ready, required } from '../../../../core/launch/check.ts';
import type { CheckContext } from '../context.ts';

export const contentChecks: LaunchCheck<CheckContext>[] = [
  required(
    'Content',
    'The site cannot be built while content/ has validation errors.',
    { text: 'Words and pictures', path: '/words' },
    ({ siteContent: { errors } }) => {
      if (errors.length === 0) return ready('content/ has no validation errors');
      return failed(`content/ has ${errors.length} validation errors`, 'npm run publish-site lists them');
    },
  ),
];
