import { isExampleEmail } from '../../../../core/content/example-data.ts';
import { readExpiry } from '../../../../core/http/check-security-txt.ts';
import {
  failed,
  type LaunchCheck,
  notChecked,
  ready,
  recommended,
  required,
} from '../../../../core/launch/check.ts';
import { places } from '../../../../core/launch/places.ts';
import type { CheckContext } from '../context.ts';

const noBuild = 'there is no build yet';
const publish = 'run npm run publish-site';

export const publishedChecks: LaunchCheck<CheckContext>[] = [
  recommended(
    'Published',
    'Visitors see the last published site.',
    places.publish,
    ({ builtAt, outdatedReason }) => {
      if (!builtAt) return notChecked(noBuild, publish);
      return outdatedReason ? failed(outdatedReason, publish) : ready('nothing was changed since');
    },
  ),
  required(
    'security.txt',
    'Security researchers look there for a contact, and may not use an expired file.',
    places.publish,
    ({ builtAt, now, securityTxt }) => {
      if (!builtAt) return notChecked(noBuild, publish);
      const expiry = securityTxt && readExpiry(securityTxt, now);
      if (!expiry) return failed('the build has none with an expiry date', publish);
      const day = expiry.expires.toISOString().slice(0, 10);
      if (expiry.isOver) return failed(`it expired on ${day}`, publish);
      if (expiry.isNear) return failed(`it expires on ${day}`, publish);
      const [, address = ''] = /^Contact: mailto:(.+)$/m.exec(securityTxt) ?? [];
      if (isExampleEmail(address))
        return failed(
          `it names ${address}, an example`,
          'set email or securityContact in content/company.yaml',
        );
      return ready(`it names ${decodeURIComponent(address)} until ${day}`);
    },
  ),
];
