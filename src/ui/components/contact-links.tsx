import { company } from 'content:company';

const phoneUrl = `tel:${company.phone.replaceAll(' ', '')}`;

export function TextWithPhone({ text }: { text: string }) {
  const [before, after] = text.split(company.phone);
  return after === undefined ? (
    text
  ) : (
    <>
      {before}
      <a className="whitespace-nowrap underline" href={phoneUrl}>
        {company.phone}
      </a>
      {after}
    </>
  );
}

export function PhoneLink({ className = '' }: { className?: string }) {
  return (
    <a
      className={`inline-flex min-h-11 items-center underline underline-offset-4 hover:text-accent ${className}`}
      href={phoneUrl}
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

export function ContactCard({ heading }: { heading: string }) {
  return (
    <div className="rounded-card border border-hairline bg-high p-6 print:hidden">
      <h2 className="text-xl" id="ask_">
        {heading}
      </h2>
      <p className="mt-3">
        <PhoneLink className="text-lg font-semibold" />
      </p>
      <p className="text-sm text-muted">{company.supportHours}</p>
      <p className="mt-2">
        <EmailLink />
      </p>
    </div>
  );
}
