import company from 'content:company';
import { phoneUrl, splitContactText } from '../../content/contact-details.ts';

/** Text in which the phone number is a link, and neither it nor hours are broken across lines. */
export function ContactText({ text }: { text: string }) {
  return splitContactText(text, company).map((part, index) => {
    if (typeof part === 'string') return part;
    const key = index;
    return part.isPhone ? (
      <a className="whitespace-nowrap underline" href={phoneUrl(part.text)} key={key}>
        {part.text}
      </a>
    ) : (
      <span className="whitespace-nowrap" key={key}>
        {part.text}
      </span>
    );
  });
}

export function PhoneLink({ className = '' }: { className?: string }) {
  return (
    <a
      className={`inline-flex min-h-11 items-center underline underline-offset-4 hover:text-accent ${className}`}
      href={phoneUrl(company.phone)}
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
        <span className="text-muted">
          <ContactText text={company.supportHours} />
        </span>
      </p>
      <p className="mt-2 text-muted">{text}</p>
    </div>
  );
}
