import { Icon } from './icon.tsx';

type CarouselControlsProps = {
  current: number;
  names: string[];
  texts: { previous: string; next: string };
  onShow(index: number): void;
  onStep(by: number): void;
};

export function CarouselControls({ current, names, texts, onShow, onStep }: CarouselControlsProps) {
  return (
    <div className="needs-script mt-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="-ml-2 flex">
        {names.map((name, index) => (
          <button
            aria-current={index === current ? 'true' : undefined}
            aria-label={name}
            className="dot"
            data-replay=""
            key={name}
            onClick={() => onShow(index)}
            type="button"
          />
        ))}
      </div>
      <div className="flex gap-3">
        <TurnButton label={texts.previous} onClick={() => onStep(-1)} path="m12 4-6 6 6 6" />
        <TurnButton label={texts.next} onClick={() => onStep(1)} path="m8 4 6 6-6 6" />
      </div>
    </div>
  );
}

function TurnButton({ label, onClick, path }: { label: string; onClick(): void; path: string }) {
  return (
    <button
      className="inline-flex size-12 items-center justify-center rounded-pill border border-edge hover:border-accent hover:text-accent"
      data-replay=""
      onClick={onClick}
      type="button"
    >
      <span className="sr-only">{label}</span>
      <Icon d={path} />
    </button>
  );
}
