import { site } from 'content:site';
import { PageLink } from './page-link.tsx';

export function JumpLinks({ links }: { links: { id: string; title: string }[] }) {
  return (
    <nav aria-label={site.contents} className="print:hidden">
      <ul className="gap-x-7 sm:flex sm:flex-wrap">
        {links.map(({ id, title }) => (
          <li key={id}>
            <PageLink
              className="inline-flex min-h-11 items-center underline decoration-edge underline-offset-8 hover:text-accent hover:decoration-accent"
              to={`#${id}`}
            >
              {title}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
