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

/** Without motion: one element, all layers. */
export function StillIllustration({ name, className = '' }: Pick<IllustrationProps, 'name' | 'className'>) {
  const file = name in viewBoxes ? name : 'shield';
  return (
    <svg aria-hidden="true" className={className} viewBox={viewBoxes[file]}>
      {layers.map(layer => (
        <use href={`${spriteUrl}#${file}-${layer}`} key={layer} />
      ))}
    </svg>
  );
}

const layers = ['lines', 'glow', 'signals'];
