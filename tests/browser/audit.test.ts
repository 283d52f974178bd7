import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readContent } from '../../src/apps/content.ts';
import { systemClock } from '../../src/core/clock.ts';
import { auditApiPath, auditPaths } from '../../src/features/audit/contract.ts';
import { createAuditFeature } from '../../src/features/audit/feature.ts';
import { createSampleReport } from '../../src/features/audit/sample-report.ts';
import { createFakeRunner } from '../fakes/audit-runner.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { hydrate, visitServer } from '../harness/page.ts';
import { root, startSite } from '../harness/site.ts';

const { content = expect.unreachable() } = readContent(join(root, 'content'));
const { id: _, ...sample } = createSampleReport(content.audit);
/** Finds in every domain what the sample report shows. */
const runner = createFakeRunner(systemClock, (domain, now) => ({
  ...JSON.parse(JSON.stringify(sample).replaceAll(sample.domain, domain)),
  measuredAt: now.toISOString(),
}));
const visit = visitServer(() =>
  startSite({ SITE_URL: 'http://127.0.0.1' }, { features: [createAuditFeature({ runner })] }),
);
const reportUrl = /\/audit\/report\/[0-9a-f]{32}$/;

async function check(page: Page, domain: string): Promise<void> {
  await page.getByLabel('Your domain').fill(domain);
  await page.getByRole('button', { name: 'Check it now' }).click({ noWaitAfter: true });
}

test.each([
  { javaScriptEnabled: true, domain: 'https://www.scripted.com/page', audited: 'scripted.com' },
  { javaScriptEnabled: false, domain: 'plain.com', audited: 'plain.com' },
])(
  'a visitor checks a domain, reads the report, sends it and deletes it, with JavaScript: $javaScriptEnabled',
  async ({ javaScriptEnabled, domain, audited }) => {
    visit.allowErrors(/status of 400/);
    const page = await visit.newPage({
      javaScriptEnabled,
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    await page.goto(auditPaths.page);
    if (javaScriptEnabled) await hydrate(page);
    await check(page, 'localhost');
    await page.getByText('This does not look like a public domain').filter({ visible: true }).waitFor();

    const release = runner.hold();
    await check(page, domain);
    // The results so far are there before the rest.
    await page.getByText('Third-party scripts').first().waitFor();
    expect(await page.getByRole('heading', { name: audited }).count()).toBe(0);
    release();
    await page.getByRole('heading', { level: 1, name: audited }).waitFor();
    expect(await page.getByText('Grade C, 72 of 100 points', { exact: true }).isVisible()).toBe(true);
    expect(await page.locator('.audit-progress:visible').count()).toBe(0);

    if (javaScriptEnabled) {
      await page.waitForURL(reportUrl);
      await hydrate(page);
      await expectLegible(page);
      const dmarc = page.locator('#mail-dmarc');
      await dmarc.getByRole('button', { name: 'Copy' }).click();
      await dmarc.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        `_dmarc.${audited}. TXT "v=DMARC1; p=none; rua=mailto:dmarc@${audited}"`,
      );
    }

    const link = await page.locator('[data-report-link]').getAttribute('href');
    expect(link).toMatch(reportUrl);
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('ada@example.com');
    const message = await page.getByLabel('Message').inputValue();
    for (const part of [audited, 'Grade C', '1. Spoofing', '2. Forgotten', '3. TLS versions', link])
      expect(message).toContain(part);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.waitForURL('**/contact#sent');
    const [stored] = await visit.site.store.messages.list({}, { limit: 1 });
    expect(stored?.message.replaceAll('\r', '')).toBe(message);
    expect(stored?.audit_report).toMatch(/./);

    await page.goto(link ?? '');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await page.waitForURL('**/audit#deleted');
    expect(await page.getByText('Your link no longer works.').isVisible()).toBe(true);
  },
  60_000,
);

/** tests/browser/every-page.test.ts looks at the sample, which has neither forms nor a link. */
async function expectLegible(page: Page): Promise<void> {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await findAxeViolations(page), `axe at ${width} px`).toEqual([]);
  }
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('form, button, input, textarea').filter({ visible: true }).count()).toBe(0);
  await page.emulateMedia({ media: null });
}

test('what is refused or lost is said beside the form', async () => {
  visit.allowErrors(/status of (429|503)/, /ERR_/);
  await visit.open(`${auditPaths.page}#too-many`);
  const { page } = visit;
  expect(await page.getByText('Please try again in an hour.').first().isVisible()).toBe(true);
  await hydrate(page);
  const refuse = (status: number, reason: string) => ({ status, body: JSON.stringify({ reason }) });
  const stream = (...lines: string[]) => ({ status: 200, body: `{"type":"started","checks":[]}\n${lines}` });
  const answers = [
    { ...refuse(429, 'busy'), expected: 'Please try again in 2 minutes.' },
    { ...refuse(429, 'checked-recently'), expected: 'and we limit how often' },
    { ...refuse(503, 'off'), expected: 'switched off' },
    { ...stream('{"type":"failed","reason":"no-answer"}\n'), expected: 'Please check the spelling' },
    { ...stream('{"ty'), expected: 'The connection dropped' },
  ];
  for (const { status, body, expected } of answers) {
    await page.route(`**${auditApiPath}`, route =>
      route.fulfill({ status, body, headers: { 'retry-after': '120' } }),
    );
    await check(page, 'example.com');
    await page.getByText(expected).filter({ visible: true }).waitFor();
    await page.unroute(`**${auditApiPath}`);
  }
});

test('a form that is posted before hydration leads to the report at its own URL, which hydration keeps', async () => {
  await visit.open(auditPaths.page);
  const { page } = visit;
  await page.evaluate(() => {
    const form = document.querySelector<HTMLFormElement>('main form');
    form?.querySelector('input')?.setAttribute('value', 'early.com');
    form?.submit();
  });
  const heading = page.getByRole('heading', { level: 1, name: 'early.com' });
  await heading.waitFor();
  await hydrate(page);
  expect(page.url()).toMatch(reportUrl);
  expect(await heading.isVisible()).toBe(true);
  await page.reload();
  await heading.waitFor();
});
