import { deskUrl } from '../../../ui/desk/desk-url.ts';

const tabs = [
  { text: 'Issues', path: '/newsletter' },
  { text: 'Subscribers', path: '/newsletter/subscribers' },
];

export function NewsletterTabs({ current }: { current: 'Issues' | 'Subscribers' }) {
  return (
    <nav aria-label="Newsletter" className="mb-5 flex gap-1 border-b border-hairline">
      {tabs.map(({ text, path }) => (
        <a
          aria-current={text === current ? 'page' : undefined}
          className="desk-target -mb-px flex items-center border-b-2 border-transparent px-3 text-sm text-muted hover:text-text aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-text"
          href={deskUrl(path)}
          key={path}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
