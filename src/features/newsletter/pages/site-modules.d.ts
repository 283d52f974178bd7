declare module 'site:sign-up' {
  const form: Pick<typeof import('./sign-up-form.tsx'), 'SignUpForm'>;
  export = form;
}
/** On pages that links in mails lead to. */
declare module 'slot:sign-up-again' {
  export const Slot: import('react').ComponentType<{ heading: string; headingClass: string }>;
}
