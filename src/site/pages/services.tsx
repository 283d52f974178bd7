import services from 'content:services';
import { FieldLabel, fieldLook } from '../parts/field.tsx';
import { MessageForm } from '../parts/message-form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Prose } from '../parts/prose.tsx';
import { PageTitle, Section } from '../parts/section.tsx';

export function Component() {
  const { engagements, solutions, request } = services;
  return (
    <>
      <PageHead description={services.description} page="services" title={services.title} />
      <PageTitle heading={services.heading} label={services.label} lead={services.lead} />
      <Section world="ink">
        <ul className="grid gap-5 md:grid-cols-2">
          {services.services.map(({ id, name, description }) => (
            <li className="rounded-card border border-hairline bg-raised p-8" id={id} key={id}>
              <h2 className="text-2xl">{name}</h2>
              <Prose className="text-muted" of={description} />
            </li>
          ))}
        </ul>
      </Section>
      <Section labelledBy="engagements" world="paper">
        <h2 className={headingLook} id="engagements">
          {engagements.heading}
        </h2>
        <p className="mt-4 max-w-prose text-muted">{engagements.lead}</p>
        <ul className="mt-10 grid gap-x-10 md:grid-cols-2">
          {engagements.items.map(({ id, name, what, start, get, urgent, urgentText }) => (
            <li className="border-t border-hairline py-8" id={id} key={id}>
              <h3 className="text-xl">{name}</h3>
              {[what, start, get].map(text => (
                <p className="mt-3 text-muted" key={text}>
                  {text}
                </p>
              ))}
              {urgent ? (
                <p className="mt-4">
                  <strong className="text-attention">{urgent}</strong> {urgentText}
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      </Section>
      <Section labelledBy="solutions" world="paper">
        <h2 className={headingLook} id="solutions">
          {solutions.heading}
        </h2>
        <div className="mt-10 grid gap-10 lg:grid-cols-3">
          {solutions.items.map(({ id, name, text }) => (
            <section id={id} key={id}>
              <h3 className="text-2xl">{name}</h3>
              <Prose className="text-muted" of={text} />
            </section>
          ))}
        </div>
      </Section>
      <Section labelledBy="request" world="paper">
        <h2 className={headingLook} id="request">
          {request.heading}
        </h2>
        <p className="mt-4 mb-10 max-w-prose text-muted">{request.lead}</p>
        <div className="max-w-prose">
          <MessageForm form="services" words={request}>
            <ServiceChoice />
          </MessageForm>
        </div>
      </Section>
    </>
  );
}

function ServiceChoice() {
  const { request, engagements, solutions } = services;
  const names = [...services.services, ...engagements.items, ...solutions.items].map(({ name }) => name);
  return (
    <div>
      <FieldLabel id="services-service" label={request.service} />
      <select className={fieldLook} id="services-service" name="service">
        <option value="">{request.choose}</option>
        {names.map(name => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

const headingLook = 'max-w-[20ch] text-[clamp(2rem,4.5vw,3rem)]';
