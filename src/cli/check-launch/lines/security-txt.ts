import { isExampleEmail } from '../../../content/examples.ts';
import { readExpiry } from '../../../server/security-txt.ts';
import { type Check, missing, notChecked, ready } from '../check.ts';

/** Whether a stranger who has found a weakness can tell the owner. */
export const securityTxtLines: Check[] = [
  {
    name: 'security.txt',
    level: 'must',
    why: 'Whoever finds a weakness looks there for whom to tell, and must not use one that has expired.',
    look({ builtAt, now, securityTxt }) {
      if (!builtAt) return notChecked('there is no build yet: npm start or npm run build makes it');
      const expiry = securityTxt && readExpiry(securityTxt, now);
      if (!expiry) return missing('the build has none that says until when it counts; run: npm run build');
      const day = expiry.expires.toISOString().slice(0, 10);
      if (expiry.isOver) return missing(`it expired on ${day}; run npm run build, then restart the site`);
      if (expiry.isNear) return missing(`it expires on ${day}; run npm run build, then restart the site`);
      const [, address = ''] = /^Contact: mailto:(.+)$/m.exec(securityTxt) ?? [];
      if (isExampleEmail(address))
        return missing(
          `it names ${address}, an example; set email or securityContact in content/company.yaml`,
        );
      return ready(`it names ${decodeURIComponent(address)} until ${day}`);
    },
  },
];
