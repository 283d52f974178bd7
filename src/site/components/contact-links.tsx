import company from 'content:company';

export function PhoneLink({ className = '' }: { className?: string }) {
  return (
    <a
      className={`inline-flex min-h-11 items-center underline underline-offset-4 hover:text-accent ${className}`}
      href={`tel:${company.phone.replaceAll(' ', '')}`}
    >
      {company.phone}
    </a>
  );
}

export function EmailLink() {
  return (
    <a
      className="inline-flex min-h-11 max-w-full items-center text-lg wrap-anywhere underline underline-offset-4 hover:text-accent"
      href={`mailto:${company.email}`}
    >
      {company.email}
    </a>
  );
}

export function UrgentNotice({ heading, text }: { heading: string; text: string }) {
  return (
    <div className="rounded-card border-2 border-attention px-6 py-5">
      <h2 className="text-xl font-semibold tracking-tight text-attention">{heading}</h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-3">
        <PhoneLink className="text-2xl font-semibold tracking-tight" />
        <span className="text-muted">{company.supportHours}</span>
      </p>
      <p className="mt-2 text-muted">{text}</p>
    </div>
  );
}
