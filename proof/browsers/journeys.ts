import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readContent } from '../../src/apps/content.ts';
import { auditPaths } from '../../src/features/audit/contract.ts';
import { newsletterPaths } from '../../src/features/newsletter/contract.ts';
import { readVisibleSlides } from '../../tests/browser/slides.ts';
import type { FakeSmtpServer } from '../../tests/fakes/smtp-server.ts';
import { listPosts } from '../../tests/harness/page.ts';
import { root, type TestSite } from '../../tests/harness/site.ts';
import { paths } from '../../tests/harness/site-paths.ts';
import { findLink, mailsTo, queueNewsletterIssue } from '../../tests/harness/subscriber-mail.ts';
import type { CuttingRelay } from '../cutting-relay.ts';
import type { Visit } from './visit.ts';

/** The relay is between the browser and the site. */
export type Place = { visit: Visit; site: TestSite; smtp: FakeSmtpServer; relay: CuttingRelay };

// Prescribed words stand in this file; the owner's are read from content/.
const { content } = readContent(join(root, 'content'));
if (!content) throw new Error('content/ is invalid');
const { audit, brand, faq, home, newsletter, services, site: words } = content;
const { notices } = words;
const headings: Record<string, string> = {
  [paths.services]: 'Our Services — Protective Security Solutions',
  [paths.contact]: 'Contact Us',
  [paths.privacy]: 'Privacy Policy',
  [paths.faq]: 'Help & FAQ',
  [paths.terms]: 'Terms And Condition',
};
const slides = ['Network', 'Data', 'Computer', 'Locker'].map(name => `${name} Security`);
slides.push('Malware Protection');
const counters = ['458', '158', '50'];

export const journeys: Record<string, (place: Place) => Promise<void>> = {
  /** The first journey, because a browser keeps the parts of pages that it has loaded. */
  async 'a page that does not load'({ visit, relay }) {
    await visit.open(paths.privacy);
    relay.refuse(0);
    await visit.press(
      'header a',
      'services',
      'Unexpected Application Error!',
      'Loading chunk services failed',
    );
    relay.refuse(undefined);
    await visit.click('main button', words.error.reload);
    await visit.expectTexts('h1', [headings[paths.services]]);
  },

  async 'every page'({ visit }) {
    const steps = [newsletterPaths.confirm, newsletterPaths.expired, newsletterPaths.requested];
    const post = listPosts()[0]?.path ?? paths.blog;
    for (const path of [...Object.values(paths), post, ...steps, '/no-such-page']) {
      await visit.open(path);
      const [heading] = await visit.texts('h1');
      await visit.expectTexts('h1', [headings[path] ?? heading]);
      const tooWide: number[] = [];
      for (const width of [390, 768, 1440]) {
        await visit.driver.resize(width, 900);
        if (
          await visit.read(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
        )
          tooWide.push(width);
      }
      await visit.check(`the widths at which ${path} scrolls sideways`, () => tooWide, []);
    }
  },

  async menu({ visit }) {
    const button = 'header button';
    const turns: [turn: () => Promise<unknown>, openMenus: number][] = [
      [() => visit.click(button), 1],
      [() => visit.click(button), 0],
      [() => visit.driver.pressKey('Enter'), 1],
      [() => visit.driver.pressKey('Escape'), 0],
      [() => visit.click(button), 1],
      [() => visit.click('main h1'), 0],
      [() => visit.click(button), 1],
      [() => visit.click('#menu a', 'services'), 0],
    ];
    await visit.driver.resize(390, 844);
    await visit.open(paths.privacy);
    const labels = [...brand.menu, brand.menuButton].map(({ label }) => label);
    await visit.expectTexts('#menu a', labels);
    for (const [turn, openMenus] of turns) {
      await turn();
      await visit.expectCount('#menu:popover-open', openMenus);
    }
    await visit.expectTexts('h1', [headings[paths.services]]);
  },

  async carousel({ visit }) {
    const { driver } = visit;
    await visit.open(paths.home);
    await visit.expectTexts('[aria-roledescription=carousel]', ['What we Offer']);
    for (const [width, count, gap] of [
      [500, 1, 50],
      [640, 2, 20],
      [768, 1, 40],
      [1024, 3, 50],
    ] as const) {
      await driver.resize(width, 800);
      const readLayout = async () => {
        const shown = await visit.read(readVisibleSlides);
        const gaps = shown.slice(1).map(({ left }, index) => left - (shown[index]?.right ?? 0));
        return [...shown.map(({ name }) => name), ...gaps.map(Math.round)];
      };
      const layout = [...slides.slice(0, count), ...Array(count - 1).fill(gap)];
      await visit.check(`the slides at ${width} px`, readLayout, layout);
    }
    await driver.resize(1100, 800);
    const second = `2 of 5: ${slides[1]}`;
    const turns: [name: string, turn: () => Promise<unknown>, first: number][] = [
      ['Next', () => visit.click('button', home.offer.next), 1],
      ['Previous', () => visit.click('button', home.offer.previous), 0],
      ['Previous again', () => visit.click('button', home.offer.previous), 4],
      ['a dot', () => visit.click('.dot', second), 1],
      ['the right arrow key', () => driver.pressKey('ArrowRight'), 2],
      ['the left arrow key', () => driver.pressKey('ArrowLeft'), 1],
      ['a drag to the left', () => visit.drag('.carousel', -200), 2],
      ['a drag to the right', () => visit.drag('.carousel', 200), 1],
      ['the wheel sideways', () => driver.turnWheel(40, 0), 2],
      ['the wheel downwards', () => driver.turnWheel(0, 40), 2],
    ];
    for (const [name, turn, first] of turns) {
      await turn();
      const readFirst = async () =>
        (await visit.read(readVisibleSlides)).find(({ left }) => Math.abs(left) < 1)?.name;
      await visit.check(`the first slide after ${name}`, readFirst, slides[first]);
      if (name === 'a dot') await visit.expectTexts('.dot[aria-current]', [second]);
    }
    const links = slides.map(name => `Learn More: ${name}`);
    await visit.expectTexts('.carousel a[href^="/creator"]', links);
    await visit.click('.carousel [aria-roledescription=slide]:nth-child(4) a');
    await visit.expectTexts('h1', [headings[paths.services]]);
  },

  async accordion({ visit }) {
    const questions = faq.groups.flatMap(group => group.questions);
    const [first, last] = [questions[0], questions.at(-1)];
    const turns: [turn: () => Promise<unknown>, openAnswers: number][] = [
      [() => visit.click('summary', first?.question), 1],
      [() => visit.click('summary', first?.question), 0],
      [() => visit.driver.pressKey('Enter'), 1],
      [() => visit.driver.type(' '), 0],
      [() => visit.click('button', faq.openAll), questions.length],
      [() => visit.click('button', faq.closeAll), 0],
      [() => visit.open(`${paths.faq}#${last?.id}`), 1],
    ];
    await visit.open(paths.faq);
    for (const [turn, openAnswers] of turns) {
      await turn();
      await visit.expectCount('main details[open] > [id]', openAnswers);
    }
    await visit.check('the answer is in view', () => visit.read(isTargetInView), true);
    await visit.fill({ '#filter': 'qqqq' });
    await visit.expectText(faq.filter.none);
    await visit.driver.pressKey('Escape');
    await visit.expectNoText(faq.filter.none);
  },

  async 'contact form'({ visit, site }) {
    const list = async () =>
      (await site.store.messages.list({}, { limit: 100 })).map(({ message }) => message);
    const send = (...shown: string[]) => visit.press('button', 'Send', ...shown);
    await visit.open(paths.contact);
    const labels = 'label:is([for$=name], [for$=email], [for$=message])';
    await visit.expectTexts(labels, ['Name', 'Email', 'Message']);
    await visit.fill({ '#contact-name': 'Zoë', '#contact-email': 'nowhere', '#contact-message': 'Once' });
    await send(notices.emailRefused);
    await visit.expectCount('#contact-email:focus', 1);
    await visit.fill({ '#contact-email': 'zoe@example.com' });
    await visit.expectNoText(notices.emailRefused);
    await send('Sent Successfully');
    const [stored] = await site.store.messages.list({}, { limit: 1 });
    await visit.expectText(`${notices.reference}: ${stored?.reference}`);
    await visit.fill({ '#contact-message': 'Three times' });
    await visit.click('button', 'Send', 3);
    await visit.expectValue('#contact-message', '');
    await setTimeout(1000);
    await visit.check('the messages', list, ['Three times', 'Once']);

    const tooLong = 'x'.repeat(70_000);
    await visit.read(
      text => document.querySelector<HTMLTextAreaElement>('textarea')?.setRangeText(text),
      tooLong,
    );
    await send('Error Occured', notices.refusals.tooLong);
    await visit.expectNoText('Sent Successfully');
    await visit.expectValue('#contact-message', tooLong);
    await visit.fill({ '#contact-message': 'Shorter', '#contact-name': 'Zoë' });
    await visit.driver.pressKey('Enter');
    await visit.expectText('Sent Successfully');
    await visit.expectNoText('Error Occured');
    await visit.check('the messages', list, ['Shorter', 'Three times', 'Once']);
  },

  async 'lost connection'({ visit, site, relay }) {
    const texts = ['Sent later', 'Response lost', 'Sent after a reload'];
    async function send(text = '', ...shown: string[]): Promise<void> {
      await visit.fill({ '#contact-message': text });
      await visit.press('button', 'Send', ...shown);
    }
    await visit.open(paths.contact);
    relay.refuse(0);
    await send(texts[0], notices.offline);
    await visit.expectNoText('Sent Successfully', 'Error Occured');
    await visit.expectValue('#contact-message', 'Sent later');
    relay.refuse(undefined);
    await visit.expectText('Sent Successfully');
    relay.cutNext();
    await send(texts[1]);
    await visit.expectValue('#contact-message', '');
    await visit.expectText('Sent Successfully');
    relay.refuse(0);
    await send('Stopped');
    await visit.press('button', notices.doNotSend, notices.unsent.stopped);
    await send(texts[2], notices.offline);
    relay.refuse(undefined);
    await visit.open(paths.contact);
    await visit.expectText('Sent Successfully');
    const stored = await site.store.messages.list({}, { limit: 3 });
    await visit.check('each is stored once', () => stored.map(({ message }) => message).reverse(), texts);
  },

  async newsletter({ visit, site, smtp, relay }) {
    const { feedback, pages } = newsletter;
    const address = 'reader@example.com';
    const [field, button] = ['#home-newsletter', 'form:has(#home-newsletter) button'];
    const countMails = () => mailsTo(smtp, address).length;
    const openLink = (index: number, step: 'confirm' | 'unsubscribe') =>
      visit.open(findLink(mailsTo(smtp, address)[index]?.text ?? '', step));
    await visit.open(paths.home);
    await visit.expectCount(`${field}[placeholder="your email address"]`, 1);
    await visit.expectCount('#footer-newsletter[placeholder="Your Email Address"]', 1);
    await visit.fill({ [field]: 'zoe' });
    await visit.press(button, 'Submit', feedback.emailRefused);
    await visit.expectCount(`${field}:focus`, 1);
    await visit.fill({ [field]: address });
    relay.refuse(0);
    await visit.press(button, 'Submit', feedback.offline);
    relay.refuse(undefined);
    await visit.expectText(feedback.sent);
    await visit.check('the mails', countMails, 1);
    await openLink(0, 'confirm');
    await visit.press('main button', pages.confirm.button, pages.confirmed.heading);
    await queueNewsletterIssue(site, 'first');
    await visit.check('the mails', countMails, 2);
    await openLink(1, 'unsubscribe');
    await visit.press('main button', pages.unsubscribe.button, pages.unsubscribed.heading);
  },

  async navigation({ visit }) {
    const expectPage = (path: string) => visit.expectTexts('h1', [headings[path]]);
    const isSameDocument = () => visit.read(() => 'isSame' in window);
    await visit.open(paths.faq);
    await visit.read(() => void Object.assign(window, { isSame: true }));
    await visit.scrollTo(700);
    await visit.click('header a', 'services');
    await expectPage(paths.services);
    await visit.check('the title', () => visit.read(() => document.title.split(' – ')[0]), services.title);
    await visit.expectScrollAt(0);
    await visit.expectCount('h1:focus', 1);
    await visit.expectTexts('header [aria-current]:not(#menu *)', ['services']);
    await visit.scrollTo(1200);
    await visit.read(() => history.back());
    await expectPage(paths.faq);
    await visit.expectScrollAt(700);
    await visit.read(() => history.forward());
    await expectPage(paths.services);
    await visit.expectScrollAt(1200);
    await visit.check('the document is the same', isSameDocument, true);
    await visit.read(() => location.reload());
    await visit.check('the document is the same', isSameDocument, false);
    await visit.expectScrollAt(1200);
    await visit.open(paths.home);
    await visit.click('main a', 'Get A Free Cyber Security Audit');
    await expectPage(paths.contact);
    for (const [label, path] of Object.entries({
      'Cyber Security': paths.services,
      'About Us': paths.contact,
      'Privacy Policy': paths.privacy,
      'Help & FAQ': paths.faq,
    })) {
      await visit.click('footer a', label);
      await expectPage(path);
    }
  },

  async motion({ visit }) {
    const shown = 'dd > .sr-only + [aria-hidden]';
    await visit.open(paths.home);
    const readEntrance = () =>
      visit.read(() => getComputedStyle(document.querySelector('.enter') ?? document.body).animationDuration);
    await visit.check('the entrance of a page', readEntrance, '1.2s');
    await visit.expectTexts('dd > .sr-only:has(+ [aria-hidden])', counters);
    await visit.expectTexts(shown, ['0', '0', '0']);
    await visit.pointAt(shown);
    const isCounting = async () =>
      (await visit.texts(shown)).every((text, index) => text !== '0' && text !== counters[index]);
    await visit.check('the counters count', isCounting, true);
    await visit.read(measureScrollToTop);
    await visit.click('footer a', words.footer.toTop);
    await visit.expectScrollAt(0);
    const isTimely = async () => {
      const [before, after] = await visit.read(() =>
        (document.body.dataset.took ?? '').split(' ').map(Number),
      );
      return (before ?? 0) < 600 && (after ?? 0) > 450;
    };
    await visit.check('the way to the top takes 500 ms', isTimely, true);
  },

  async audit({ visit, site }) {
    const { form, failures, report, send, link, deleted } = audit;
    await visit.open(auditPaths.page);
    await visit.fill({ '#domain': 'localhost' });
    await visit.press('main button', form.button, failures['invalid-domain']);
    await visit.expectCount('#domain:focus', 1);
    await visit.fill({ '#domain': 'https://www.example.net/page' });
    await visit.click('main button', form.button);
    const readPath = () => visit.read(() => location.pathname);
    const isAtReport = async () => /^\/audit\/report\/[0-9a-f]{32}$/.test(await readPath());
    await visit.check('the report has its own address', isAtReport, true);
    await visit.expectTexts('h1', ['example.net']);
    const address = await readPath();
    await visit.open(address);
    const isGraded = () => visit.read(() => /Grade [A-F], \d+ of 100 points/.test(document.body.innerText));
    await visit.check('the grade is shown', isGraded, true);
    await visit.press('#mail-dmarc button', report.copy, report.copied);
    const message = (await visit.readValue('#report-message')) ?? '';
    await visit.check('the link is in the message', () => message.includes(address), true);
    await visit.fill({ '#report-email': 'ada@example.com' });
    await visit.press('main button', send.button, 'Sent Successfully');
    const [stored] = await site.store.messages.list({}, { limit: 1 });
    await visit.check('what is stored', () => stored?.message.replaceAll('\r', ''), message);
    await visit.open(address);
    await visit.press('main button', link.delete, deleted.text);
    await visit.open(address);
    await visit.check('the grade is shown', isGraded, false);
  },
};

/** Below the header and in the upper half. */
function isTargetInView(): boolean {
  const top = document.querySelector(':target')?.getBoundingClientRect().top ?? 0;
  return top > 72 && top < 400;
}

/** Writes when, after the next click, the last frame before the top of the page was, and the first one at the top. */
function measureScrollToTop(): void {
  function measure({ timeStamp }: Event): void {
    let frames = [0, 0];
    requestAnimationFrame(function look(now) {
      // Each frame shows what the one before it scrolled to.
      if (scrollY === 0) document.body.dataset.took = frames.join(' ');
      else requestAnimationFrame(look);
      frames = [frames[1] ?? 0, now - timeStamp];
    });
  }
  addEventListener('click', measure, { once: true, capture: true });
}
