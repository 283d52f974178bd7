import { buttonClass } from './button.ts';

/** The boot script prints: pages with this button may have no script of their own. */
export function PrintButton({ children }: { children: string }) {
  return (
    <button className={`${buttonClass.quiet} needs-script`} data-print="" type="button">
      {children}
    </button>
  );
}
