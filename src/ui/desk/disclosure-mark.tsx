/** In the summary of a `details` with the class `group`. */
export function DisclosureMark() {
  return (
    <svg aria-hidden="true" className="size-3 shrink-0 group-open:rotate-90" viewBox="0 0 12 12">
      <path d="M4 1l5 5-5 5" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}
