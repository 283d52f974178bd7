import company from 'content:company';

type PageHeadProps = { title: string; description: string; isHome?: boolean };

/** React moves these into head; the prerender writes them there from the start. */
export function PageHead({ title, description, isHome = false }: PageHeadProps) {
  return (
    <>
      <title>{isHome ? `${company.name} — ${title}` : `${title} — ${company.name}`}</title>
      <meta content={description} name="description" />
    </>
  );
}
