import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuditFeature } from '../../src/features/audit/feature.ts';
import { createLocalAudits } from '../../tests/fakes/local-audits.ts';
import { createSmtpServer } from '../../tests/fakes/smtp-server.ts';
import { startSite } from '../../tests/harness/site.ts';
import { subscriberMailSettings } from '../../tests/harness/subscriber-mail.ts';
import { createCuttingRelay } from '../cutting-relay.ts';
import { startHttps } from '../https.ts';
import { browsers } from './driver.ts';
import { journeys, type Place } from './journeys.ts';
import { createVisit } from './visit.ts';

/** Journeys lead to pages that are not there, to refusals and to lost connections; Chromium reports each. */
const refusals = /^Failed to load resource/;

for (const { name, packages, isInstalled } of browsers)
  if (!isInstalled)
    process.stdout.write(`${name} is not installed and skipped: apt-get install ${packages}\n`);

describe.each(browsers)('$name', ({ name, isInstalled, launch }) => {
  describe.skipIf(!isInstalled)('the site over HTTPS', () => {
    const running = new AsyncDisposableStack();
    let place: Place;

    beforeAll(async () => {
      const smtp = running.use(await createSmtpServer());
      const audits = await createLocalAudits();
      running.defer(audits.close);
      const settings = subscriberMailSettings(smtp, 'https://127.0.0.1');
      const site = running.use(
        await startSite(settings, { features: [createAuditFeature({ runner: audits })] }),
      );
      await site.worker.start();
      const relay = running.use(await createCuttingRelay([Number(new URL(site.origin).port)]));
      const origin = `http://127.0.0.1:${relay.ports[0]}`;
      const front = running.use(await startHttps({ origin, config: site.config }));
      const driver = running.use(await launch());
      place = { site, smtp, relay, visit: createVisit(driver, front.url) };
    });

    afterAll(async () => {
      const { visit } = place;
      process.stdout.write(`${name} ${visit.driver.version}: ${visit.countChecks()} checks\n`);
      await running.disposeAsync();
    });

    test.each(Object.entries(journeys))('%s', async (_, travel) => {
      const { visit } = place;
      place.relay.refuse(undefined);
      await visit.driver.resize(1280, 800);
      await travel(place);
      const problems = visit.driver.problems.splice(0).filter(text => !refusals.test(text));
      expect(problems, 'problems that the browser reports').toEqual([]);
    });
  });
});
