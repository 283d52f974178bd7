import { services } from 'content:services';
import { buttonClass } from '../../../ui/components/button.ts';
import { Icon } from '../../../ui/components/icon.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { Prose } from '../../../ui/components/prose.tsx';
import { StillIllustration } from '../../../ui/components/still-illustration.tsx';

type Service = (typeof services.services)[number];

export function ServiceCard({ id, name, lead, receive, deliverable, description }: Service) {
  const { labels } = services;
  return (
    <li className="service-card grid overflow-clip rounded-card border border-hairline bg-raised" id={id}>
      <figure>
        <StillIllustration className="w-full text-muted" name={`${id}-deliverable`} />
        <figcaption className="text-center font-mono text-xs text-muted">
          {`${deliverable} (${labels.sample})`}
        </figcaption>
      </figure>
      <div className="px-5 py-4 sm:px-8 sm:py-8">
        <h2 className="text-2xl">{name}</h2>
        <p className="mt-2 max-w-reading text-muted">{lead}</p>
        <h3 className="mt-4 capitals text-accent">{labels.receive}</h3>
        <ul>
          {receive.map(item => (
            <li className="mt-1 flex gap-2" key={item}>
              <Icon className="mt-1.5 size-4 text-accent shrink-0" d="m3 11 5 5L17 5" />
              {item}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-x-4 border-t border-hairline px-5 py-2 sm:px-8">
        <PageLink className={`${buttonClass.quiet} max-sm:px-4`} data-service={name} to="#request">
          {labels.request}
          <span className="sr-only">{`: ${name}`}</span>
        </PageLink>
        <details className="grow open:w-full" suppressHydrationWarning>
          <summary className="flex min-h-12 items-center gap-2 font-semibold">
            {labels.more}
            <span className="sr-only">{`: ${name}`}</span>
          </summary>
          {/* The text has the id, because browsers open the details element around a fragment's target. */}
          <div className="max-w-reading" id={`${id}-description`}>
            <Prose className="text-muted" content={description} />
          </div>
        </details>
      </div>
    </li>
  );
}
