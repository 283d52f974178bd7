import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Field, inputClass } from '../../../ui/desk/field.tsx';
import type { MessageListProps } from './props.ts';

export function ListFilters({ filter, services }: Pick<MessageListProps, 'filter' | 'services'>) {
  const { state, search, since, service, delivery } = filter;
  const isFiltered = since !== '' || service !== '' || delivery !== '';
  return (
    <search className="w-full xl:w-auto xl:min-w-96">
      <form action={deskUrl('/messages')} method="get">
        <input name="state" type="hidden" value={state} />
        <div className="flex gap-2">
          <label className="sr-only" htmlFor="search">
            Search messages
          </label>
          <input
            className={inputClass}
            defaultValue={search}
            id="search"
            maxLength={200}
            name="search"
            placeholder="Name, email, text, reference"
            type="search"
          />
          <button className={buttonClass.quiet} type="submit">
            Search
          </button>
        </div>
        <details className="mt-1" open={isFiltered}>
          <summary className="desk-summary cursor-pointer text-sm text-muted hover:text-text">
            Filters
          </summary>
          <div className="grid gap-3 pb-2 sm:grid-cols-3">
            <Field id="since" label="Since">
              <input className={inputClass} defaultValue={since} id="since" name="since" type="date" />
            </Field>
            <Select
              chosen={service}
              id="service"
              label="Service"
              options={services.map(name => [name, name])}
            />
            <Select
              chosen={delivery}
              id="delivery"
              label="Delivery"
              options={[
                ['failed', 'Not delivered'],
                ['waiting', 'Waiting'],
              ]}
            />
          </div>
          {isFiltered || search ? (
            <a
              className="desk-target inline-flex items-center text-sm text-accent underline"
              href={deskUrl(`/messages?state=${state}`)}
            >
              Show all again
            </a>
          ) : null}
        </details>
      </form>
    </search>
  );
}

type SelectProps = { id: string; label: string; chosen: string; options: [string, string][] };

function Select({ id, label, chosen, options }: SelectProps) {
  return (
    <Field id={id} label={label}>
      <select className={inputClass} defaultValue={chosen} id={id} name={id}>
        <option value="">Any</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
