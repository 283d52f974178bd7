import { useEffect } from 'react';

/** The browser asks before the page is left with unsaved text. */
export function useLeaveGuard(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    window.addEventListener('beforeunload', preventLeaving);
    return allowLeaving;
  }, [isDirty]);
}

/** Before a form is sent that saves the text. */
export function allowLeaving(): void {
  window.removeEventListener('beforeunload', preventLeaving);
}

let isOpeningMail = false;

/** A link to the mail program counts as leaving, although the page stays. */
export function allowMailLink(): void {
  isOpeningMail = true;
  setTimeout(() => {
    isOpeningMail = false;
  }, 1000);
}

function preventLeaving(event: BeforeUnloadEvent): void {
  if (!isOpeningMail) event.preventDefault();
}
