export type ButtonVariant = 'primary' | 'large' | 'compact' | 'quiet';

const shape =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-pill py-2.5 text-center font-semibold transition-[color,background-color,border-color]';
const filled =
  'button-filled bg-accent text-on-accent hover:bg-text hover:text-surface disabled:opacity-60 aria-disabled:opacity-60';

export const buttonClass: Record<ButtonVariant, string> = {
  primary: `${shape} ${filled} px-6`,
  large: `${shape} ${filled} min-h-14 px-6 sm:px-8 sm:text-lg`,
  compact: `${shape} ${filled} px-4 sm:px-5`,
  quiet: `${shape} text-balance border border-edge px-6 text-text hover:border-accent hover:text-accent`,
};
