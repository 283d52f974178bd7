declare module 'site:sign-up' {
  const form: Pick<typeof import('./sign-up-form.tsx'), 'SignUpForm'>;
  export = form;
}
