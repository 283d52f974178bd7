import { Badge } from '../../../ui/desk/badge.tsx';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Section } from '../../../ui/desk/section.tsx';
import { Backups } from './backups.tsx';
import type { HealthProps } from './props.ts';
import { Receivers } from './receivers.tsx';

export function Health({ receivers, test, backups, system, launch }: HealthProps) {
  return (
    <div className="max-w-[64rem]">
      <Section
        aside={
          <a className={buttonClass.quiet} href={deskUrl('/health/launch')}>
            Open the checklist
          </a>
        }
        id="launch"
        title="Launch checklist"
      >
        <p>{describeOpen(launch)}</p>
      </Section>
      <Receivers receivers={receivers} test={test} />
      <Backups {...backups} />
      <Section id="system" title="This machine">
        <dl className="divide-y divide-hairline rounded-field border border-hairline bg-raised">
          {system.map(({ term, text, problem }) => (
            <div className="gap-x-4 px-4 py-2 sm:grid sm:grid-cols-[9rem_minmax(0,1fr)]" key={term}>
              <dt className="text-sm text-muted">{term}</dt>
              <dd className="wrap-anywhere">
                {text}{' '}
                {problem ? (
                  <span className="block">
                    <Badge tone="attention">Problem</Badge> {problem}
                  </span>
                ) : null}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}

export function describeOpen({ required, recommended }: HealthProps['launch']): string {
  const rest =
    recommended === 0 ? '' : `, and ${recommended} ${recommended === 1 ? 'is' : 'are'} recommended`;
  if (required === 0)
    return recommended === 0
      ? 'Nothing is missing.'
      : `Nothing required is missing; ${recommended} ${recommended === 1 ? 'point is' : 'points are'} recommended.`;
  return `${required} required ${required === 1 ? 'point is' : 'points are'} open${rest}.`;
}
