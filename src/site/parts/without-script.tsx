import company from 'content:company';
import words from 'content:static';
import { Phone } from './phone.tsx';

/** For the forms of a static site, which nothing but JavaScript can send. */
export function WithoutScript() {
  return (
    <noscript>
      <div className="rounded-card border-2 border-edge px-6 py-5">
        <p>{words.withoutScript}</p>
        <p className="mt-2 flex flex-wrap items-center gap-x-6">
          <Phone className="text-lg" />
          <a
            className="inline-flex min-h-11 max-w-full items-center text-lg wrap-anywhere underline underline-offset-4 hover:text-accent"
            href={`mailto:${company.email}`}
          >
            {company.email}
          </a>
        </p>
      </div>
    </noscript>
  );
}
