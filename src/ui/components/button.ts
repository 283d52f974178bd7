export type ButtonVariant = 'primary' | 'large' | 'compact' | 'quiet';

export const buttonClass: Record<ButtonVariant, string> = {
  primary: 'button button-filled px-6',
  large: 'button button-filled min-h-14 px-6 sm:px-8 sm:text-lg',
  compact: 'button button-filled px-4 sm:px-5',
  quiet: 'button button-quiet px-6',
};
