type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Where somebody else has changed the words of a page, as translators do, React makes its elements anew. What was written
 * into the old ones stands in the new ones then, and the visitor goes on where they were. Called before and after.
 */
export function keepTyped(): () => void {
  const fields = document.querySelectorAll<Field>('form :is(input, textarea, select)[id]');
  const focused = document.activeElement;
  return () => {
    for (const field of fields) {
      const heir = field.isConnected ? null : (document.getElementById(field.id) as Field | null);
      // A message that waited in the tab may have come back into it first.
      if (heir?.value === '') heir.value = field.value;
      if (field === focused) heir?.focus({ preventScroll: true });
    }
  };
}
