import { brand } from 'content:brand';
import { company } from 'content:company';
import { site } from 'content:site';
import { isFilled as hasSignUp, Slot as SignUp } from 'slot:footer';
import { BackToTop } from './components/back-to-top.tsx';
import { Logo } from './components/logo.tsx';
import { PageLink } from './components/page-link.tsx';
import { PauseButton } from './components/pause-button.tsx';

export function Footer() {
  const { lead, newsletter, rights, social } = site.footer;
  return (
    <footer className="border-t border-hairline" data-theme="ink">
      <div className="mx-auto max-w-page px-5 py-16 sm:px-8">
        <p className="flex items-center gap-2.5 text-lg font-bold tracking-tight">
          <Logo />
          {brand.logoText}
        </p>
        <p className="mt-3 max-w-reading text-muted">{lead}</p>
        <div
          className={`mt-12 lg:grid lg:gap-10 ${hasSignUp ? columnsClass[brand.footer.length] : 'lg:grid-cols-4'}`}
        >
          <div className="columns-2 gap-6 sm:columns-3 lg:contents">
            {brand.footer.map(({ title, links }) => (
              <div className="break-inside-avoid pb-6" key={title}>
                <h2 className={columnTitle}>{title}</h2>
                <ul>
                  {links.map(({ label, path }) => (
                    <li key={label}>
                      <PageLink className={footerLink} to={path}>
                        {label}
                      </PageLink>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
          <SignUp texts={newsletter} titleClass={columnTitle} />
        </div>
        <div className="mt-14 flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-hairline pt-6 text-sm text-muted">
          <p className="mr-auto">{`© ${brand.copyrightYears} ${brand.name}. ${rights}`}</p>
          {brand.social.length > 0 ? (
            <ul aria-label={social} className="flex flex-wrap gap-x-6">
              {brand.social.map(({ label, url }) => (
                <li key={url}>
                  <a className={footerLink} href={url} rel="noopener">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
          <PauseButton />
          <BackToTop />
        </div>
        <Registration />
      </div>
    </footer>
  );
}

/** What UK law requires a company's site to show, as far as the owner has filled it in. */
function Registration() {
  const names = ['name', 'number', 'place', 'office', 'vat'] as const;
  const facts = { name: brand.legalName, ...company.registration };
  const filled = names.filter(name => facts[name] !== null);
  return filled.length > 0 ? (
    <dl className="mt-4 flex flex-wrap gap-x-6 text-sm text-muted">
      {filled.map(name => (
        <div className="flex gap-2" key={name}>
          <dt>{site.footer.registration[name]}:</dt>
          <dd>{facts[name]}</dd>
        </div>
      ))}
    </dl>
  ) : null;
}

/** By the number of columns before the newsletter's. */
const columnsClass: Record<number, string> = {
  0: '',
  1: 'lg:grid-cols-[1fr_1.6fr]',
  2: 'lg:grid-cols-[1fr_1fr_1.6fr]',
  3: 'lg:grid-cols-[1fr_1fr_1fr_1.6fr]',
  4: 'lg:grid-cols-[1fr_1fr_1fr_1fr_1.6fr]',
};
const columnTitle = 'mb-3 capitals tracking-[0.14em] text-accent';
const footerLink = 'inline-flex min-h-11 min-w-11 items-center text-muted hover:text-text hover:underline';
