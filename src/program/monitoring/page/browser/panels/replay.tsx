// The controls of a replay: play and pause, speed, and a slider over the time of the recording.
import type { ReplayMove } from '../../contract.ts';
import { clock } from '../format.ts';
import { moveReplay } from '../state/server.ts';
import { isUtc } from '../state/settings.ts';
import { replay, turnAt } from '../state/store.ts';

const SPEEDS = [1, 5, 20, 100] as const;

const move = (change: ReplayMove): void => {
  moveReplay(new URLSearchParams(location.search).get('run') ?? undefined, change).catch(() => undefined); // the slider shows the actual position
};

export function Replay() {
  const shown = replay.value;
  if (shown === undefined) return null;
  const { from, to, speed, playing } = shown;
  return (
    <section class="replay" aria-label="replay">
      <button type="button" onClick={() => move({ playing: !playing })}>
        {playing ? '❚❚ pause' : '▶ play'}
      </button>
      <input
        type="range"
        aria-label="time of the replay"
        min={from}
        max={to}
        step={Math.max(1, Math.round((to - from) / 1_000))}
        value={turnAt.value}
        onChange={(event) => move({ at: Number(event.currentTarget.value) })}
      />
      <time>{clock(turnAt.value, isUtc.value)}</time>
      <span class="speeds">
        {SPEEDS.map((choice) => (
          <button key={choice} type="button" class={`chip ${choice === speed ? 'on' : ''}`} onClick={() => move({ speed: choice })}>
            {choice}×
          </button>
        ))}
      </span>
    </section>
  );
}
