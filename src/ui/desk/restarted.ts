/** The new session is that of all tabs: fetch-desk.tsx finds it. */
export const restarted =
  'The desk was restarted. Open the new link in another tab, then save or go on here: what you typed is kept.';
