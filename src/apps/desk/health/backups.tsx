import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { DisclosureMark } from '../../../ui/desk/disclosure-mark.tsx';
import { Section } from '../../../ui/desk/section.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import type { HealthProps } from './props.ts';

export function Backups({ last, isOld, files, folder, max }: HealthProps['backups']) {
  return (
    <Section
      aside={
        <form action={deskUrl('/health/backups')} method="post">
          <button className={isOld ? buttonClass.primary : buttonClass.quiet} type="submit">
            Make a backup now
          </button>
        </form>
      }
      id="backups"
      title="Backups"
    >
      <p>
        {last ? (
          <>
            The last one: <Time {...last} />.{' '}
          </>
        ) : (
          'No backup was ever made. '
        )}
        {isOld ? <Badge tone="attention">{last ? 'Old' : 'Missing'}</Badge> : null}
      </p>
      <p className="mt-2 text-sm text-muted">
        A backup has all messages and subscribers. Download it and keep it on another machine, protected like
        the site itself. The newest {max} stay in <span className="wrap-anywhere">{folder}</span>.
      </p>
      {files.length > 0 ? (
        <ul className="mt-3 divide-y divide-hairline rounded-field border border-hairline bg-raised">
          {files.map(({ name, path, size, at }) => (
            <li className="flex flex-wrap items-center justify-between gap-x-4 px-4 py-1" key={name}>
              <span>
                <Time {...at} /> <span className="ml-2 text-sm text-muted">{size}</span>
              </span>
              <a
                aria-label={`Download the backup of ${at.text}`}
                className="desk-target inline-flex items-center text-sm font-semibold text-accent underline"
                download
                href={deskUrl(path)}
              >
                Download
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <details className="group mt-3 rounded-field border border-hairline px-4 py-2">
        <summary className="desk-target flex cursor-pointer items-center gap-2 font-semibold">
          <DisclosureMark />
          Restore a backup
        </summary>
        <ol className="mb-2 ml-5 grid list-decimal gap-1.5 text-sm">
          <li>Stop the site, and close the desk.</li>
          <li>
            In a terminal, in the folder of the site: <code>npm run restore -- FILE --replace</code>. It says
            what it replaces, and asks first.
          </li>
          <li>Start the site, open the desk and send a test message.</li>
        </ol>
        <p className="mb-2 text-sm text-muted">
          Messages since the backup are then missing here, but still in your mailbox and sheet. People who
          were erased since are erased again. docs/engineer/backup.md has everything else, such as a backup
          every night.
        </p>
      </details>
    </Section>
  );
}
