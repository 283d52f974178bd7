import { MailPreview } from './mail-preview.tsx';
import type { PostProps } from './props.ts';
import { SendPanel } from './send-panel.tsx';

export function NewsletterPost({ errors, mail }: PostProps) {
  return (
    <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-2 xl:grid-rows-[auto_1fr]">
      <div>
        <p>
          This post is sent as an issue: with a link to it, and with pictures replaced by their descriptions.
        </p>
        {errors.length > 0 ? (
          <div className="mt-4 border-l-4 border-attention bg-raised px-4 py-3">
            <p className="font-semibold">It cannot be sent:</p>
            <ul className="mt-1 list-disc pl-5">
              {errors.map(text => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
      {mail ? (
        <div className="xl:col-start-2 xl:row-span-2 xl:row-start-1">
          <MailPreview {...mail} />
        </div>
      ) : null}
      {mail ? <SendPanel {...mail} isUnsaved={false} /> : null}
    </div>
  );
}
