export function Logo() {
  return (
    <svg aria-hidden="true" className="size-7 text-accent" fill="none" viewBox="0 0 24 28">
      <path
        d="M12 1.5 22.5 5v8.5c0 6-4.2 10.4-10.5 13-6.3-2.6-10.5-7-10.5-13V5zM7.5 13.5l3.2 3.2 6-6.4"
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="2"
      />
    </svg>
  );
}
