import privacy from 'content:privacy';
import { useSyncExternalStore } from 'react';
import { isUncounted, listen, mayChoose, setUncounted } from '../objection.ts';
import { buttonLook } from '../parts/button.ts';
import { PolicyPage } from '../parts/policy-page.tsx';

export function Component() {
  const parts = import.meta.env.COUNTS_VIEWS ? { countSwitch: <CountSwitch /> } : {};
  return <PolicyPage page="privacy" parts={parts} policy={privacy} />;
}

/** Without a script nothing is counted, and there is nothing to switch. */
function CountSwitch() {
  const words = privacy.countSwitch;
  const isOff = useSyncExternalStore(listen, isUncounted, () => false);
  const isFree = useSyncExternalStore(listen, mayChoose, () => true);
  return (
    <div className="needs-script mt-6 flex flex-wrap items-center gap-x-5 gap-y-3" data-needs-react="">
      <button
        aria-pressed={isOff}
        className={`${buttonLook.quiet} aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent`}
        data-replay=""
        hidden={!isFree}
        onClick={() => setUncounted(!isOff)}
        type="button"
      >
        {words.label}
      </button>
      <p className="m-0" role="status">
        {isFree ? (isOff ? words.uncounted : words.counted) : words.declined}
      </p>
    </div>
  );
}
