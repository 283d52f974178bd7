/** Points the way on. Drawn, because not every system has the letter. */
export function Arrow() {
  return (
    <svg aria-hidden="true" className="arrow" fill="none" viewBox="0 0 20 20">
      <path
        d="M3 10h14m-5-5 5 5-5 5"
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="2"
      />
    </svg>
  );
}
