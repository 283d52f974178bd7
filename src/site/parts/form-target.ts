import { contactPath } from '../../api/contract.ts';

type FormTarget = { method: 'post'; action: string } | { method: 'dialog' };

/** Where a form goes by itself. A static site has nowhere to post to: the boot script holds its forms for React. */
export const formTarget: FormTarget = import.meta.env.IS_STATIC
  ? { method: 'dialog' }
  : { method: 'post', action: contactPath };
