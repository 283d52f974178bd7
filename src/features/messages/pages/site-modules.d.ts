declare module 'site:forms' {
  const forms: typeof import('./server-forms.tsx');
  export = forms;
}
