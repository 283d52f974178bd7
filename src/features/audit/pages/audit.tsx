import { auditPage as page } from 'content:audit-page';
import { useState } from 'react';
import { buttonClass } from '../../../ui/components/button.ts';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { Eyebrow, Section, SectionHeader, StepNumber } from '../../../ui/components/section.tsx';
import { auditPaths } from '../contract.ts';
import { AuditForm } from './audit-form.tsx';
import type { AuditState } from './request-audit.ts';
import { Rings } from './rings.tsx';

const rings = page.sample.groups.map(({ group, score }) => ({
  name: page.groups.find(({ id }) => id === group)?.title ?? group,
  score,
}));

export function Component() {
  const [state, setState] = useState<AuditState>({ kind: 'idle' });
  const { label, heading, lead, checked, isOff } = page;
  return (
    <>
      <PageMeta texts={page} {...(isOff ? {} : { page: 'audit' })} />
      <section className="hero" data-theme="ink">
        <div className="mx-auto grid max-w-page items-start gap-x-16 gap-y-12 px-5 py-hero sm:px-8 lg:grid-cols-[1.3fr_1fr]">
          <div className="enter">
            <Eyebrow>{label}</Eyebrow>
            <h1 className="page-title max-w-[11em]" tabIndex={-1}>
              {heading}
            </h1>
            {isOff ? null : <p className="page-lead">{lead}</p>}
            <AuditForm onChange={setState} state={state} />
          </div>
          <Rings
            className="w-full max-w-[28rem] max-lg:hidden lg:sticky lg:top-28"
            rings={drawProgress(state)}
          />
        </div>
      </section>
      <Sample />
      <Section isRaised labelledBy="checked" theme="paper">
        <SectionHeader heading={checked.heading} id="checked" lead={checked.lead} />
        <div className="mt-10 grid gap-x-12 gap-y-10 md:grid-cols-3">
          {page.groups.map(({ id, title, text, checks }) => (
            <section aria-labelledby={`${id}-checks`} className="border-t-2 border-accent pt-5" key={id}>
              <h3 className="text-xl" id={`${id}-checks`}>
                {title}
              </h3>
              <p className="mt-2 text-muted">{text}</p>
              <ul className="mt-4 text-sm">
                {checks.map(check => (
                  <li className="border-t border-hairline py-2" key={check.id}>
                    {check.title}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        {isOff ? null : (
          <PageLink className={`${buttonClass.primary} mt-12`} to="#domain">
            {page.form.button} <ArrowIcon />
          </PageLink>
        )}
      </Section>
    </>
  );
}

function Sample() {
  const { example, sample, labels } = page;
  return (
    <Section labelledBy="sample" theme="paper">
      <SectionHeader heading={example.heading} id="sample" label={example.label} lead={example.lead} />
      <figure className="mt-8">
        <div className="sheet grid items-center gap-x-12 gap-y-8 rounded-card border border-hairline bg-high p-6 sm:p-10 md:grid-cols-[18rem_1fr]">
          <Rings className="mx-auto w-full max-w-[18rem]" grade={sample.grade} rings={rings} />
          <div>
            <p className="flex flex-wrap items-center justify-between gap-4">
              <span className="text-xl font-semibold">{sample.domain}</span>
              <span className="rounded-field border-2 border-attention px-3 capitals line-tall font-semibold tracking-[0.14em] text-attention">
                {example.stamp}
              </span>
            </p>
            <p className="mt-2 text-muted">
              {labels.graded.replace('{grade}', `${sample.grade}`).replace('{score}', String(sample.score))}
            </p>
            <h3 className="mt-6 capitals text-accent">{labels.first}</h3>
            <ol className="mt-2 border-b border-hairline">
              {sample.first.map((title, index) => (
                <li className="flex gap-4 border-t border-hairline py-3" key={title}>
                  <StepNumber className="pt-1" value={index + 1} />
                  {title}
                </li>
              ))}
            </ol>
          </div>
          <table className="sr-only">
            <thead>
              <tr>
                <th scope="col">{labels.group}</th>
                <th scope="col">{labels.points}</th>
              </tr>
            </thead>
            <tbody>
              {rings.map(({ name, score }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{score}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </figure>
      <PageLink className={`${buttonClass.quiet} mt-8`} to={auditPaths.report}>
        {example.link}
      </PageLink>
    </Section>
  );
}

/** A node for each check, lit as its result arrives. */
function drawProgress(state: AuditState) {
  const results = state.kind === 'running' ? state.results : [];
  return page.groups.map(({ title, checks }) => ({
    name: title,
    score: null,
    checks: checks.map(({ id }) => results.find(({ check }) => check === id)?.status),
  }));
}
