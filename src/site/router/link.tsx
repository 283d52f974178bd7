import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { isDocument, pageAt } from '../paths.ts';
import { usePlace, useRouter } from './context.ts';

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** A path of this site, or a fragment of the page it stands on. */
  to: string;
};

/** An ordinary link until somebody clicks it in the ordinary way. */
export function Link({ to, ...rest }: LinkProps) {
  const { pathname } = usePlace();
  const router = useRouter();
  const address = to.startsWith('#') ? pathname + to : to;

  function follow(event: MouseEvent) {
    // What the owner links to may be a file, which only the browser can open.
    if (!router || !pageAt(address) || isDocument(address) || !isPlainClick(event)) return;
    event.preventDefault();
    router.go(address);
  }

  return <a {...rest} href={address} onClick={follow} />;
}

/** Anything else asks the browser for a window, a tab or a file. */
function isPlainClick({ button, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented }: MouseEvent): boolean {
  return button === 0 && !(altKey || ctrlKey || metaKey || shiftKey || defaultPrevented);
}
