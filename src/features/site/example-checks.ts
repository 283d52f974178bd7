import { templateExamples } from '../../core/content/example-data.ts';
import { below, type LaunchCheck, ready, recommended } from '../../core/launch/check.ts';
import { fromTemplate } from '../../core/launch/from-template.ts';
import { places } from '../../core/launch/places.ts';
import { type ContentContext, requireContent } from './require-content.ts';

const brandFile = 'content/brand/brand.yaml';
const homeFile = 'content/home.yaml';

/** Recommended, not required: a value of the template may be true of the company. */
export const exampleChecks: LaunchCheck<ContentContext & { now: Date }>[] = below(
  'Social links',
  recommended(
    'Company name',
    'It is on every page and in every mail.',
    places.words('brand/brand.yaml', 'name', 'Edit the name'),
    context => {
      const { name, logoText } = requireContent(context).brand;
      const fields = Object.entries({ name, logoText });
      const left = fields.filter(([, text]) => text === templateExamples.name).map(([field]) => field);
      if (left.length === 0) return ready(name);
      const change = `run npm run setup, or set ${left.join(' and ')} in ${brandFile}`;
      return fromTemplate([templateExamples.name], change);
    },
  ),
  recommended(
    'Copyright year',
    'It is at the foot of every page.',
    places.words('brand/brand.yaml', 'copyrightYear', 'Edit the year'),
    context => {
      const year = String(requireContent(context).brand.copyrightYear);
      return year === templateExamples.copyrightYear
        ? fromTemplate(
            [year],
            `set copyrightYear in ${brandFile}, such as '${context.now.getUTCFullYear()} to now'`,
          )
        : ready(year);
    },
  ),
  recommended(
    'Counters',
    'Visitors and competitors may ask you to prove these numbers.',
    places.words('home.yaml', 'counters', 'Edit the counters'),
    context => {
      const { brand, home } = requireContent(context);
      if (!brand.show.counters) return ready('they are not shown');
      const shown = home.counters.items.map(({ value, label }) => `${value} ${label}`);
      const left = shown.filter(counter => templateExamples.counters.includes(counter));
      const change = `change them under counters in ${homeFile}, or hide them with counters: false in ${brandFile}`;
      return left.length > 0 ? fromTemplate(left, change) : ready(shown.join(', '));
    },
  ),
  recommended(
    'Claims',
    'Advertising rules want proof of a figure like this.',
    places.words('home.yaml', 'intro', 'Edit the claim'),
    context => {
      const titles = requireContent(context).home.intro.points.map(({ title }) => title);
      return titles.includes(templateExamples.claim)
        ? fromTemplate([templateExamples.claim], `change its title under intro in ${homeFile}`)
        : ready('the 99% of the template is gone');
    },
  ),
  recommended(
    'Company facts',
    'The Contact page says this in the name of your company.',
    places.words('contact.yaml', 'about', 'Edit the texts'),
    context => {
      const { about, work } = requireContent(context).contact;
      const text = JSON.stringify([about.text, work.text]);
      const left = templateExamples.facts.filter(fact => text.includes(fact));
      return left.length > 0
        ? fromTemplate(
            left,
            'change the texts under about and work in content/contact.yaml, and the same in content/faq.yaml',
          )
        : ready('the facts of the template are gone');
    },
  ),
);
