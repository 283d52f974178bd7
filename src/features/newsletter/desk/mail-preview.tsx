import type { ReactNode } from 'react';
import { deskUrl } from '../../../ui/desk/desk-url.ts';

type MailPreviewProps = {
  path: string;
  subject: string;
  preview?: string;
  text: string;
  warnings?: string[];
};

/** Which one is shown is chosen by CSS: it works without a script, and what was typed beside it stays. */
export function MailPreview({ path, subject, preview, text, warnings = [] }: MailPreviewProps) {
  const frame = 'hidden h-[36rem] w-full rounded-card border border-edge bg-high';
  return (
    <section aria-label="Preview" className="group/mail">
      {warnings.map(warning => (
        <p className="mb-3 border-l-4 border-attention bg-raised px-4 py-2.5" key={warning}>
          {warning}
        </p>
      ))}
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
        <Choice legend="Preview">
          <Option id="show-light" isFirst name="show" text="Light" />
          <Option id="show-dark" name="show" text="Dark" />
          <Option id="show-text" name="show" text="Plain text" />
        </Choice>
        <div className="hidden sm:block">
          <Choice legend="Width">
            <Option id="width-computer" isFirst name="width" text="Computer" />
            <Option id="width-phone" name="width" text="Phone" />
          </Choice>
        </div>
      </div>
      <div className="mt-3 max-w-[42rem] group-has-[#width-phone:checked]/mail:max-w-[23.5rem]">
        <p className="mb-2 truncate text-sm">
          <strong>{subject}</strong> <span className="text-muted">{preview}</span>
        </p>
        <iframe
          className={`${frame} group-has-[#show-light:checked]/mail:block`}
          sandbox=""
          src={deskUrl(`${path}/mail`)}
          title="The mail, light"
        />
        <iframe
          className={`${frame} group-has-[#show-dark:checked]/mail:block`}
          loading="lazy"
          sandbox=""
          src={deskUrl(`${path}/mail?scheme=dark`)}
          title="The mail, dark"
        />
        <section
          aria-label="The mail as plain text"
          className="hidden group-has-[#show-text:checked]/mail:block"
        >
          <pre className="rounded-card border border-edge bg-high p-4 text-sm whitespace-pre-wrap">
            {text}
          </pre>
        </section>
      </div>
    </section>
  );
}

function Choice({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="flex items-center gap-1">
      <legend className="sr-only">{legend}</legend>
      {children}
    </fieldset>
  );
}

function Option({ id, name, text, isFirst }: { id: string; name: string; text: string; isFirst?: boolean }) {
  return (
    <label className="desk-target flex cursor-pointer items-center rounded-pill border border-transparent px-3 text-sm text-muted has-checked:border-edge has-checked:font-semibold has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input className="sr-only" defaultChecked={isFirst} id={id} name={name} type="radio" />
      {text}
    </label>
  );
}
