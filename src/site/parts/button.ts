/** A button and a link may look the same; what they are is for the page to say. */
export type ButtonLook = 'primary' | 'quiet';

const shape =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-pill px-6 py-2.5 font-semibold transition-colors';

export const buttonLook: Record<ButtonLook, string> = {
  primary: `${shape} bg-accent text-on-accent hover:bg-text hover:text-surface disabled:opacity-60 aria-disabled:opacity-60`,
  quiet: `${shape} border border-edge text-text hover:border-accent hover:text-accent`,
};
