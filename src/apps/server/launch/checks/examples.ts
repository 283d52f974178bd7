import { templateExamples } from '../../../../core/content/example-data.ts';
import { type Check, type CheckContext, type CheckResult, failed, ready, recommended } from '../check.ts';

const brandFile = 'content/brand/brand.yaml';
const homeFile = 'content/home.yaml';

/** Recommended, not required: a value of the template may be true of the company. */
export const exampleChecks: Check[] = [
  recommended('Company name', 'It is on every page and in every mail.', context => {
    const { name, logoText } = requireContent(context).brand;
    const fields = Object.entries({ name, logoText });
    const left = fields.filter(([, text]) => text === templateExamples.name).map(([field]) => field);
    if (left.length === 0) return ready(name);
    const change = `run npm run setup, or set ${left.join(' and ')} in ${brandFile}`;
    return fromTemplate([templateExamples.name], change);
  }),
  recommended('Copyright year', 'It is at the foot of every page.', context => {
    const year = String(requireContent(context).brand.copyrightYear);
    return year === templateExamples.copyrightYear
      ? fromTemplate(
          [year],
          `set copyrightYear in ${brandFile}, such as '${context.now.getUTCFullYear()} to now'`,
        )
      : ready(year);
  }),
  recommended('Counters', 'Visitors and competitors may ask you to prove these numbers.', context => {
    const { brand, home } = requireContent(context);
    if (!brand.show.counters) return ready('they are not shown');
    const shown = home.counters.items.map(({ value, label }) => `${value} ${label}`);
    const left = shown.filter(counter => templateExamples.counters.includes(counter));
    const change = `change them under counters in ${homeFile}, or hide them with counters: false in ${brandFile}`;
    return left.length > 0 ? fromTemplate(left, change) : ready(shown.join(', '));
  }),
  recommended('Claims', 'Advertising rules want proof of a figure like this.', context => {
    const titles = requireContent(context).home.intro.points.map(({ title }) => title);
    return titles.includes(templateExamples.claim)
      ? fromTemplate([templateExamples.claim], `change its title under intro in ${homeFile}`)
      : ready('the 99% of the template is gone');
  }),
  recommended('Company facts', 'The Contact page says this in the name of your company.', context => {
    const { about, work } = requireContent(context).contact;
    const text = JSON.stringify([about.text, work.text]);
    const left = templateExamples.facts.filter(fact => text.includes(fact));
    return left.length > 0
      ? fromTemplate(
          left,
          'change the texts under about and work in content/contact.yaml, and the same in content/faq.yaml',
        )
      : ready('the facts of the template are gone');
  }),
  recommended('Example posts', 'They speak in the name of your company.', ({ siteContent: { posts } }) => {
    if (!posts) throw new Error('content/ has validation errors');
    const left = posts.filter(({ slug, isDraft }) => !isDraft && templateExamples.posts.includes(slug));
    return left.length > 0
      ? fromTemplate(
          left.map(({ title }) => title),
          'delete them from content/blog',
        )
      : ready('all posts are your own');
  }),
];

function fromTemplate(values: string[], change: string): CheckResult {
  const named = values.map(value => `'${value}'`).join(', ');
  const isOne = values.length === 1;
  const example = isOne ? 'is an example' : 'are examples';
  return failed(
    `${named} ${example} from the template; make sure that ${isOne ? 'it is' : 'they are'} true of your company`,
    `else ${change}`,
  );
}

function requireContent({ siteContent: { content } }: CheckContext) {
  if (!content) throw new Error('content/ has validation errors');
  return content;
}
