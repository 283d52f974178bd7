const shape =
  'desk-target inline-flex items-center justify-center gap-2 rounded-field px-4 text-sm font-semibold whitespace-nowrap disabled:opacity-60';

export const buttonClass = {
  primary: `${shape} bg-accent text-on-accent hover:bg-text hover:text-surface`,
  quiet: `${shape} border border-edge text-text hover:border-accent hover:text-accent`,
  danger: `${shape} border border-attention text-attention hover:bg-attention hover:text-surface`,
};
