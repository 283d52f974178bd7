import { type ReactNode, useEffect, useState } from 'react';
import { StaticHtml } from '../../../ui/components/static-html.tsx';
import { useCurrentHeading } from '../../../ui/use-current-heading.ts';

/** React does not render the contents list of a post, so the link to the current section is marked directly. */
export function Component({ children }: { children?: ReactNode }) {
  const [ids, setIds] = useState<string[]>([]);
  const currentId = useCurrentHeading(ids);
  useEffect(() => setIds([...new Set(listLinks().map(findId))]), []);
  useEffect(() => {
    for (const link of listLinks()) link.ariaCurrent = findId(link) === currentId ? 'location' : null;
  }, [currentId]);
  return <StaticHtml>{children}</StaticHtml>;
}

function listLinks(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('.static-html nav a[href*="#"]')];
}

function findId({ hash }: HTMLAnchorElement): string {
  return hash.slice(1);
}
