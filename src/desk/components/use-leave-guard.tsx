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

function preventLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
