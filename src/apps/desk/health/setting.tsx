import { deskUrl } from '../../../ui/desk/desk-url.ts';
import type { SettingProps } from './props.ts';

export function Setting({ name, text, value }: SettingProps) {
  return (
    <div className="max-w-[40em]">
      <p>{text}</p>
      <p className="mt-3">
        {value ? (
          <>
            If it is not set, it is <code className="wrap-anywhere">{value}</code>.
          </>
        ) : (
          'It is not set by default.'
        )}
      </p>
      <h2 className="mt-6 mb-2 text-lg">Change it</h2>
      <ol className="ml-5 grid list-decimal gap-1.5">
        <li>
          Open the file <code>.env</code> in the folder of the site, and write a line{' '}
          <code className="wrap-anywhere">{name}=…</code>. Or run <code>npm run setup</code> there: it asks
          for the main settings and tests each answer.
        </li>
        <li>Restart the site, and open the desk again.</li>
      </ol>
      <p className="mt-5">
        <a className="text-accent underline" href={deskUrl('/health/launch')}>
          Back to the checklist
        </a>
      </p>
    </div>
  );
}
