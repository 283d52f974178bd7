import { spriteUrl, viewBoxes } from 'illustrations:sprite';

type IllustrationProps = {
  name: string;
  className?: string;
  isBackground?: boolean;
};

/** One element per layer, so that browsers animate it without repainting. */
export function Illustration({ name, className = '', isBackground = false }: IllustrationProps) {
  const file = name in viewBoxes ? name : 'shield';
  return (
    <span className={`illustration ${className}`} suppressHydrationWarning>
      {layers.map(layer => (
        <svg
          aria-hidden="true"
          className={`illustration-${layer}`}
          key={layer}
          preserveAspectRatio={isBackground ? 'xMaxYMid slice' : undefined}
          viewBox={viewBoxes[file]}
        >
          <use href={`${spriteUrl}#${file}-${layer}`} />
        </svg>
      ))}
    </span>
  );
}

export const layers = ['lines', 'glow', 'signals'];
