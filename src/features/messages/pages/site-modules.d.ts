declare module 'site:forms' {
  const forms: typeof import('./server-forms.tsx');
  export = forms;
}
declare module 'slot:message-form' {
  export const Slot: typeof import('./message-form.tsx').Component;
}
