import { spriteUrl, viewBoxes } from 'illustrations:sprite';

/** Without motion: one element with all layers. */
export function StillIllustration({ name, className = '' }: { name: string; className?: string }) {
  const file = name in viewBoxes ? name : 'shield';
  return (
    <svg aria-hidden="true" className={className} viewBox={viewBoxes[file]}>
      <use href={`${spriteUrl}#${file}`} />
    </svg>
  );
}
