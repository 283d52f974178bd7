import { spriteUrl, viewBoxes } from 'illustrations:sprite';
import { layers } from './illustration.tsx';

/** Without motion: one element, all layers. */
export function StillIllustration({ name, className = '' }: { name: string; className?: string }) {
  const file = name in viewBoxes ? name : 'shield';
  return (
    <svg aria-hidden="true" className={className} viewBox={viewBoxes[file]}>
      {layers.map(layer => (
        <use href={`${spriteUrl}#${file}-${layer}`} key={layer} />
      ))}
    </svg>
  );
}
