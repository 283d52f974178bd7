import { useEffect, useState } from 'react';
import { buttonClass } from '../../../ui/desk/button.ts';

/** `press` returns false where the key keeps its usual meaning. */
export type Keys = Record<string, { text: string; press(): unknown }>;

const panelId = 'keys';
const storageName = 'desk-keys';

/** Single keys act only outside fields and without modifiers, and can be switched off (WCAG 2.1.4). */
export function KeyboardHelp({ keys }: { keys: Keys }) {
  const [isOn, setIsOn] = useState<boolean>();
  useEffect(() => setIsOn(localStorage.getItem(storageName) !== 'off'), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressKey(event, keys, isOn === true);
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
  // Without a script there are no keys to explain.
  if (isOn === undefined) return null;
  return (
    <>
      <button className={`${buttonClass.quiet} pointer-coarse:hidden`} popoverTarget={panelId} type="button">
        Keys <kbd className={keyClass}>?</kbd>
      </button>
      <dialog
        aria-label="Keyboard"
        className="m-auto w-full max-w-96 rounded-card border border-edge bg-high p-5 text-text shadow-xl"
        id={panelId}
        popover="auto"
      >
        <h2 className="text-lg">Keyboard</h2>
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 text-sm">
          {Object.entries(keys).map(([key, { text }]) => (
            <div className="contents" key={key}>
              <dt>
                <kbd className={keyClass}>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <label className="desk-target mt-3 flex items-center gap-2 text-sm">
          <input
            checked={isOn}
            className="size-4 accent-(--accent)"
            onChange={({ target }) => {
              localStorage.setItem(storageName, target.checked ? 'on' : 'off');
              setIsOn(target.checked);
            }}
            type="checkbox"
          />
          Use these keys
        </label>
        <button
          className={`${buttonClass.quiet} mt-2`}
          popoverTarget={panelId}
          popoverTargetAction="hide"
          type="button"
        >
          Close
        </button>
      </dialog>
    </>
  );
}

const keyClass = 'rounded border border-edge px-1.5 font-mono text-xs';

function pressKey(event: KeyboardEvent, keys: Keys, isOn: boolean): void {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
  if (event.defaultPrevented || hasModifier || isInField(event.target)) return;
  if (event.key === '?') {
    document.getElementById(panelId)?.togglePopover();
    event.preventDefault();
    return;
  }
  const key = isOn && Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (!key || document.querySelector('[popover]:popover-open')) return;
  // A key that is held down moves on, and does nothing else twice.
  if (event.repeat && !['j', 'k'].includes(event.key)) return;
  if (key.press() !== false) event.preventDefault();
}

/** A checkbox takes no letters: keys act while it has the focus. */
function isInField(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  );
}
