import { useState } from 'react';
import { parseColour } from '../../../core/content/brand/colours.ts';
import { findReadableColour, listContrasts, minContrast } from '../../../core/content/brand/contrast.ts';
import type { ThemeName } from '../../../core/content/brand/theme-colours.ts';
import type { BrandColours } from '../../../core/content/schemas/brand-colours.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { allowLeaving, useLeaveGuard } from '../../../ui/desk/use-leave-guard.tsx';
import { ColourField } from './colour-field.tsx';
import { Preview } from './preview.tsx';
import type { BrandProps } from './words-types.ts';

export function Brand({ colours: saved, fields, hash, error }: BrandProps) {
  const [colours, setColours] = useState(saved);
  const contrasts = listContrasts(colours as BrandColours);
  const poor = contrasts.filter(({ ratio }) => ratio < minContrast);
  useLeaveGuard(error !== undefined || colours !== saved);
  const isValid = Object.values(colours).every(theme =>
    Object.values(theme).every(colour => parseColour(colour) !== undefined),
  );
  const set = (theme: string, name: string, value: string) =>
    setColours({ ...colours, [theme]: { ...colours[theme], [name]: value } });

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)]">
      <form action={deskUrl('/words/brand')} className="grid gap-6" method="post" onSubmit={allowLeaving}>
        <input name="hash" type="hidden" value={hash} />
        {error ? <p className="font-semibold text-attention">{error}</p> : null}
        {Object.entries(colours).map(([theme, values]) => (
          <fieldset className="grid gap-3" key={theme}>
            <legend className="text-lg font-semibold">{themes[theme]?.title ?? theme}</legend>
            <p className="text-sm text-muted">{themes[theme]?.about}</p>
            {Object.entries(values).map(([name, value]) => {
              const own = contrasts.filter(({ cause }) => cause.theme === theme && cause.name === name);
              const lowest = own.toSorted((one, other) => one.ratio - other.ratio)[0];
              const isPoor = lowest !== undefined && lowest.ratio < minContrast;
              return (
                <ColourField
                  key={name}
                  label={names[name] ?? name}
                  name={`${theme}.${name}`}
                  onChange={next => set(theme, name, next)}
                  value={value}
                  {...(lowest && {
                    contrast: {
                      ratio: lowest.ratio,
                      text: `${names[lowest.text] ?? lowest.text} on ${(names[lowest.background] ?? lowest.background).toLowerCase()}${lowest.theme === theme ? '' : ` in ${themes[lowest.theme]?.title.toLowerCase()}`}`,
                      readable: isPoor
                        ? findReadableColour(colours as BrandColours, theme as ThemeName, name)
                        : undefined,
                    },
                  })}
                />
              );
            })}
          </fieldset>
        ))}
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-hairline bg-surface py-3">
          <button className={buttonClass.primary} type="submit">
            Save the colours
          </button>
          <p aria-live="polite" className="text-sm text-muted">
            {poor.length === 0
              ? isValid && 'All text can be read on its background.'
              : `${poor.length === 1 ? 'One combination is' : `${poor.length} combinations are`} hard to read: these colours cannot be saved.`}
          </p>
        </div>
      </form>
      <Preview fields={{ ...fields, colours }} file="brand/brand.yaml" />
    </div>
  );
}

const themes: Record<string, { title: string; about: string }> = {
  ink: {
    title: 'Dark sections',
    about: 'Header, footer, the first screen of each page, icons and link previews.',
  },
  paper: { title: 'Light sections', about: 'Most sections, and emails.' },
  mint: { title: 'Bright band', about: 'The band of numbers.' },
};

const names: Record<string, string> = {
  surface: 'Background',
  raised: 'Raised background',
  high: 'Background of fields and cards',
  hairline: 'Fine lines',
  text: 'Text',
  muted: 'Secondary text',
  accent: 'Accent',
  onAccent: 'Text on the accent',
  edge: 'Borders of fields',
  attention: 'Warnings',
  codeWord: 'Code: keywords',
  codeName: 'Code: names',
  codeValue: 'Code: values',
};
