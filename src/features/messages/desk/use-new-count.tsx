import { useEffect } from 'react';

/** In the tab's title, so that a new message is seen while another tab is open. */
export function useNewCount(newCount: string): void {
  useEffect(() => {
    const title = document.title.replace(/^\([\d,+]+\) /, '');
    document.title = newCount ? `(${newCount}) ${title}` : title;
  }, [newCount]);
}
