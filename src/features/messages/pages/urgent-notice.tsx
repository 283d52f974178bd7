import { company } from 'content:company';
import { PhoneLink } from '../../../ui/components/contact-links.tsx';

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
