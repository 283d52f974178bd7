import company from 'content:company';

/** Not broken across lines; content/ is filled with the same. */
const phone = company.phone.replaceAll(' ', '\u00a0');
const phoneUrl = `tel:${company.phone.replaceAll(' ', '')}`;
export const supportHours = company.supportHours.replaceAll(/(?<=\w)[-–](?=\w)/g, '$&\u2060');

/** Text in which the phone number is a link. */
export function TextWithPhone({ text }: { text: string }) {
  const [before, after] = text.split(phone);
  return after === undefined ? (
    text
  ) : (
    <>
      {before}
      <a className="underline" href={phoneUrl}>
        {phone}
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
      {phone}
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
        <span className="text-muted">{supportHours}</span>
      </p>
      <p className="mt-2 text-muted">{text}</p>
    </div>
  );
}
