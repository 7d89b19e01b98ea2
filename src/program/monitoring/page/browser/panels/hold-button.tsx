// A button that acts after it was held for a second, by mouse, finger, Enter or the space bar. A click or a short key press does nothing.
import { useSignal } from '@preact/signals';
import type { StopMode } from '../../contract.ts';
import { FailedRequest, stopRun } from '../state/server.ts';
import { facts, orders, status } from '../state/store.ts';

const HOLD_MS = 1_000;
/** Keys that act like the mouse. */
const KEYS: ReadonlySet<string> = new Set(['Enter', ' ']);
const runName = (): string | undefined => new URLSearchParams(location.search).get('run') ?? undefined;

export function HoldButton({ mode, label }: { mode: StopMode; label: string }) {
  const state = useSignal<'idle' | 'held' | 'sent'>('idle');
  const refused = useSignal<string | undefined>(undefined);
  const timer = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined);
  const release = (): void => {
    clearTimeout(timer.value);
    if (state.value === 'held') state.value = 'idle';
  };
  const act = (): void => {
    state.value = 'sent';
    stopRun(runName(), mode).catch((error: unknown) => {
      state.value = 'idle';
      refused.value = error instanceof FailedRequest ? error.message : String(error);
    });
  };
  const press = (): void => {
    if (state.value !== 'idle') return;
    state.value = 'held';
    timer.value = setTimeout(act, HOLD_MS);
  };
  return (
    <span class="hold">
      <button
        type="button"
        class={`${mode} ${state.value}`}
        disabled={state.value === 'sent'}
        onPointerDown={press}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onBlur={release}
        onKeyUp={release}
        onKeyDown={(event) => {
          if (!KEYS.has(event.key)) return release();
          event.preventDefault();
          press();
        }}
        onContextMenu={(event) => event.preventDefault()}
      >
        {state.value === 'sent' ? `${label}: sent` : `hold to ${label}`}
      </button>
      <span class={`tip ${state.value === 'held' || refused.value !== undefined ? 'shown' : ''}`} role="status">
        {refused.value ?? words(mode)}
      </span>
    </span>
  );
}

/** Describes the effect of the button. */
function words(mode: StopMode): string {
  const count = orders.value.length;
  const held = Object.entries(status.value?.positions ?? {}).map(([symbol, size]) => `${size} ${symbol}`);
  const positions = held.length === 0 ? 'no position' : held.join(', ');
  if (mode === 'kill')
    return `cancels ${count} order${count === 1 ? '' : 's'} and ends ${facts.value?.run ?? 'the run'}; keeps ${positions}`;
  return `opens nothing more, only reduces ${positions}; resume in the terminal`;
}
