import { parseColour, toHex } from '../../../core/content/brand/colours.ts';
import { minContrast } from '../../../core/content/brand/contrast.ts';
import { inputClass } from '../../../ui/desk/field.tsx';

type Props = {
  name: string;
  label: string;
  value: string;
  onChange(value: string): void;
  /** Of the worst use of the colour; `readable` is the nearest colour that can be read. */
  contrast?: { ratio: number; text: string; readable?: string | undefined };
};

export function ColourField({ name, label, value, onChange, contrast }: Props) {
  const isColour = parseColour(value) !== undefined;
  const isPoor = contrast !== undefined && contrast.ratio < minContrast;
  const id = `colour-${name}`;
  return (
    <div>
      <label className="mb-1 block text-sm font-semibold" htmlFor={id}>
        {label}
      </label>
      <div className="flex gap-2">
        <input
          aria-label={`Choose: ${label}`}
          className="desk-target h-11 w-14 shrink-0 cursor-pointer rounded-field border border-edge bg-high p-1 lg:h-9"
          onChange={event => onChange(event.target.value)}
          type="color"
          value={isColour ? toHex(value) : '#000000'}
        />
        <input
          aria-describedby={`${id}-contrast`}
          aria-invalid={!isColour || isPoor || undefined}
          className={inputClass}
          id={id}
          name={name}
          onChange={event => onChange(event.target.value)}
          spellCheck={false}
          value={value}
        />
      </div>
      <p
        className={`mt-1 text-sm ${isPoor || !isColour ? 'font-semibold text-attention' : 'text-muted'}`}
        id={`${id}-contrast`}
      >
        {isColour ? describe(contrast) : 'This is no colour: write it as #5df0b5 or oklch(86% 0.15 163).'}
        {contrast?.readable && contrast.readable !== value ? (
          <button
            className="desk-target ml-2 font-semibold text-accent underline"
            onClick={() => {
              onChange(contrast.readable ?? value);
              document.getElementById(id)?.focus();
            }}
            type="button"
          >
            Use {contrast.readable}, the nearest that can be read
          </button>
        ) : null}
      </p>
    </div>
  );
}

function describe(contrast: Props['contrast']): string {
  if (!contrast) return '';
  const { ratio, text } = contrast;
  if (ratio >= minContrast) return `Contrast at least ${ratio.toFixed(1)} (${text.toLowerCase()}).`;
  return `${text}: a contrast of ${ratio.toFixed(1)}, ${(minContrast - ratio).toFixed(1)} less than the ${minContrast} needed.`;
}
