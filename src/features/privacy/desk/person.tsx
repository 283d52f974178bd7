import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { TextField } from '../../../ui/desk/field.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import { FindingSections } from './finding-list.tsx';
import type { CorrectionForm, PersonProps } from './props.ts';
import { Steps } from './steps.tsx';

export function PrivacyPerson(props: PersonProps) {
  const { id, email, sections, elsewhere, earlier, remarks, canExport, canCorrect, canErase } = props;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div>
        <Steps current={2} />
        <p className="mt-5 text-lg font-semibold break-all">{email}</p>
        {sections.length === 0 ? <p className="mt-2">Nothing is stored about this address.</p> : null}
        {remarks.map(text => (
          <p className="mt-2" key={text}>
            {text}
          </p>
        ))}
        <FindingSections sections={sections} />
        {elsewhere.length > 0 ? <Elsewhere elsewhere={elsewhere} /> : null}
        {earlier.length > 0 ? <Earlier earlier={earlier} /> : null}
      </div>
      <div className="grid gap-5 rounded-card border border-edge p-5 xl:sticky xl:top-6">
        {canExport ? <Export id={id} /> : null}
        {canCorrect ? <Correct fields={props.fields} form={props.correction} id={id} /> : null}
        {canErase ? <Erase id={id} /> : null}
        <a className="text-accent underline" href={deskUrl('/privacy')}>
          Look for another person
        </a>
      </div>
    </div>
  );
}

function Elsewhere({ elsewhere }: Pick<PersonProps, 'elsewhere'>) {
  return (
    <section className="mt-6">
      <h2 className="text-base">Out of reach from here</h2>
      <p className="text-sm text-muted">Copies were sent there. Search these places yourself.</p>
      <ul className="mt-2 list-disc space-y-1 pl-5">
        {elsewhere.map(({ where, references }) => (
          <li key={where}>
            {where}: <span className="font-mono text-sm">{references.join(', ')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Earlier({ earlier }: Pick<PersonProps, 'earlier'>) {
  return (
    <section className="mt-6">
      <h2 className="text-base">Done before for this address</h2>
      <ul className="mt-2 space-y-1">
        {earlier.map(({ text, at }) => (
          <li key={at.iso + text}>
            <Time {...at} /> <span className="text-muted">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Export({ id }: { id: string }) {
  return (
    <section>
      <h2 className="text-base">Give the person their data</h2>
      <form action={deskUrl(`/privacy/${id}/export`)} className="mt-2" data-download method="post">
        <button className={buttonClass.primary} type="submit">
          Download as a file
        </button>
      </form>
      <p className="mt-2 text-sm text-muted">
        One JSON file for the person. Messages that other people wrote are not in it.
      </p>
    </section>
  );
}

function Correct({ id, form, fields }: Pick<PersonProps, 'id' | 'fields'> & { form: CorrectionForm }) {
  return (
    <section className="border-t border-hairline pt-4">
      <h2 className="text-base">Correct their details</h2>
      <form action={deskUrl(`/privacy/${id}/correct`)} className="mt-2 grid gap-3" method="post">
        {fields.map(({ name, label, input }) => (
          <TextField
            autoComplete="off"
            defaultValue={form.typed[name]}
            error={form.errors[name]}
            hint="Empty: stays as it is."
            id={`new-${name}`}
            inputMode={input === 'email' ? 'email' : undefined}
            key={name}
            label={input === 'email' ? 'Right email address' : `Right ${label.toLowerCase()}`}
            maxLength={input === 'email' ? undefined : 200}
            spellCheck={false}
          />
        ))}
        <div>
          <button className={buttonClass.quiet} type="submit">
            Correct…
          </button>
        </div>
      </form>
    </section>
  );
}

function Erase({ id }: { id: string }) {
  return (
    <section className="border-t border-hairline pt-4">
      <h2 className="text-base">Erase their data</h2>
      <p className="mt-1 text-sm text-muted">The next page lists what goes, before anything is erased.</p>
      <a className={`${buttonClass.danger} mt-2`} href={deskUrl(`/privacy/${id}/erase`)}>
        Erase…
      </a>
    </section>
  );
}
