import { address, boxes } from 'art:sprite';

type ArtProps = {
  /** A file of src/site/art; a service without one gets the shield. */
  name: string;
  className?: string;
  isBackground?: boolean;
};

/** Each layer is an element of its own, which browsers animate without repainting it. */
export function Art({ name, className = '', isBackground = false }: ArtProps) {
  const picture = name in boxes ? name : 'shield';
  return (
    <span className={`art ${className}`} suppressHydrationWarning>
      {layers.map(layer => (
        <svg
          aria-hidden="true"
          className={`art-${layer}`}
          key={layer}
          preserveAspectRatio={isBackground ? 'xMaxYMid slice' : undefined}
          viewBox={boxes[picture]}
        >
          <use href={`${address}#${picture}-${layer}`} />
        </svg>
      ))}
    </span>
  );
}

const layers = ['lines', 'glow', 'signals'];
