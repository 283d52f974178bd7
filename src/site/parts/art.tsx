import { address, boxes } from 'art:sprite';

type ArtProps = {
  /** A file of src/site/art; a service that has no picture of its own wears the shield. */
  name: string;
  className?: string;
  /** Fills its place and is cut off on the left, where it is quiet. */
  isBackground?: boolean;
};

/**
 * A picture of three layers that lie in the sprite. Each is an element of its own, which browsers move without drawing
 * it again. The boot script marks the picture while it is out of sight.
 */
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
