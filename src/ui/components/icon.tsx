type IconProps = { d: string; className?: string };

export function Icon({ d, className = 'size-5' }: IconProps) {
  return (
    <svg aria-hidden="true" className={className} fill="none" viewBox="0 0 20 20">
      <path d={d} stroke="currentColor" strokeLinecap="round" strokeLinejoin="round" strokeWidth="2" />
    </svg>
  );
}

export function ArrowIcon() {
  return <Icon className="arrow" d="M3 10h14m-5-5 5 5-5 5" />;
}
