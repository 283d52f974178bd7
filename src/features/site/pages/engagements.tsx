import { services } from 'content:services';
import { PhoneLink } from '../../../ui/components/contact-links.tsx';
import { Section, SectionHeader } from '../../../ui/components/section.tsx';

/** On narrow screens the table scrolls inside its frame, beside the names of the engagements. */
export function Engagements() {
  const { heading, lead, labels, items } = services.engagements;
  const urgent = items.find(item => item.urgent)?.urgent;
  return (
    <Section labelledBy="engagements" theme="paper">
      <SectionHeader heading={heading} id="engagements" lead={lead} />
      <section
        aria-label={labels.table}
        className="table-scroll mt-10 overflow-x-auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <table className="w-full text-left max-lg:text-sm max-md:min-w-[48rem]">
          <thead className="capitals text-accent">
            <tr>
              <th className={`${nameClass} font-normal`} scope="col">
                {labels.name}
              </th>
              {columns.map(column => (
                <th className="pr-4 font-normal" key={column} scope="col">
                  {labels[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="align-top [&_td]:py-2 [&_td]:pr-4">
            {items.map(({ id, name, urgent: _, ...texts }) => (
              <tr className="scroll-mt-24 border-t border-hairline" id={id} key={id}>
                <th className={`${nameClass} font-semibold`} scope="row">
                  {name}
                </th>
                {columns.map(column => (
                  <td className={columnClass[column]} key={column}>
                    {texts[column]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {urgent ? (
        <p className="mt-2 text-lg font-semibold text-attention">
          {`${urgent} `}
          <PhoneLink />
        </p>
      ) : null}
    </Section>
  );
}

const columns = ['what', 'length', 'who', 'get'] as const;
const columnClass: Record<(typeof columns)[number], string | undefined> = {
  what: 'w-1/4 lg:w-1/3',
  length: 'font-mono text-sm',
  who: undefined,
  get: 'w-1/4',
};
const nameClass = 'sticky left-0 w-28 bg-surface py-2 pr-4 lg:w-36';
