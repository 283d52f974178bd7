import company from 'content:company';
import site from 'content:site';
import { NewsletterSignup } from 'site:endpoint';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { BackToTop } from './back-to-top.tsx';
import { Logo } from './logo.tsx';
import { PageLink } from './page-link.tsx';

export function Footer() {
  const { columns, lead, rights, social } = site.footer;
  return (
    <footer className="border-t border-hairline" data-theme="ink">
      <div className="mx-auto max-w-page px-5 py-16 sm:px-8">
        <p className="flex items-center gap-2.5 text-lg font-bold tracking-tight">
          <Logo />
          {company.logoText}
        </p>
        <p className="mt-3 max-w-[29.3em] text-muted">{lead}</p>
        <div className="mt-12 grid gap-10 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1.6fr]">
          <Column title={columns.company.title}>
            <FooterLink to={paths.contact}>{columns.company.about}</FooterLink>
            <FooterLink to={paths.contact}>{columns.company.cases}</FooterLink>
          </Column>
          <Column title={columns.solutions.title}>
            <FooterLink to={paths.services}>{columns.solutions.security}</FooterLink>
            <FooterLink to={paths.services}>{columns.solutions.consulting}</FooterLink>
            <FooterLink to={paths.services}>{columns.solutions.software}</FooterLink>
          </Column>
          <Column title={columns.resources.title}>
            <FooterLink to={paths.blog}>{columns.resources.blog}</FooterLink>
            <FooterLink to={paths.privacy}>{columns.resources.privacy}</FooterLink>
            <FooterLink to={paths.faq}>{columns.resources.faq}</FooterLink>
            <FooterLink to={paths.terms}>{columns.resources.terms}</FooterLink>
            <FooterLink to={paths.security}>{columns.resources.security}</FooterLink>
          </Column>
          <div>
            <h2 className={columnTitle}>{columns.newsletter.title}</h2>
            <NewsletterSignup form="footer" id="footer-newsletter" texts={columns.newsletter} />
          </div>
        </div>
        <div className="mt-14 flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-hairline pt-6 text-sm text-muted">
          <p className="mr-auto">
            © {company.copyrightYear} {company.name}. {rights}
          </p>
          <ul aria-label={social} className="flex flex-wrap gap-x-6">
            {[company.social.professional, company.social.photos].map(({ label, url }) => (
              <li key={url}>
                <a className={footerLink} href={url} rel="noopener">
                  {label}
                </a>
              </li>
            ))}
          </ul>
          <BackToTop />
        </div>
        <Registration />
      </div>
    </footer>
  );
}

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className={columnTitle}>{title}</h2>
      <ul>{children}</ul>
    </div>
  );
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <PageLink className={footerLink} to={to}>
        {children}
      </PageLink>
    </li>
  );
}

/** What UK law requires a company's site to show, as far as the owner has filled it in. */
function Registration() {
  const names = ['name', 'number', 'place', 'office', 'vat'] as const;
  const filled = names.filter(name => company.registration[name] !== null);
  return filled.length > 0 ? (
    <dl className="mt-4 flex flex-wrap gap-x-6 text-sm text-muted">
      {filled.map(name => (
        <div className="flex gap-2" key={name}>
          <dt>{site.footer.registration[name]}:</dt>
          <dd>{company.registration[name]}</dd>
        </div>
      ))}
    </dl>
  ) : null;
}

const columnTitle = 'mb-3 font-mono text-sm tracking-wide text-accent';
const footerLink = 'inline-flex min-h-11 min-w-11 items-center text-muted hover:text-text hover:underline';
