// The list of all runs of this machine; a click opens one.
import { signal } from '@preact/signals';
import type { RunRow } from '../contract.ts';
import { age, money, signed, tone } from './format.ts';
import { getRuns } from './state/server.ts';

const EVERY_MS = 2_000;
const rows = signal<readonly RunRow[]>([]);
const STATES = { alive: '● running', hangs: '▲ hangs', ended: '○ ended' } as const;

const readAgain = (): void => {
  setTimeout(() => {
    getRuns().then(
      (found) => {
        rows.value = found;
        readAgain();
      },
      () => readAgain(),
    );
  }, EVERY_MS);
};

export function Runs({ first }: { first: readonly RunRow[] }) {
  if (rows.value.length === 0) {
    rows.value = first;
    readAgain();
  }
  return (
    <main class="runs">
      <h1>runs of this machine</h1>
      <div class="cards">
        {rows.value.map((row) => (
          <a key={row.id} class={`card ${row.process} ${row.live ? 'real' : ''}`} href={`/?run=${encodeURIComponent(row.id)}`}>
            <span class="state">{STATES[row.process]}</span>
            <h2>{row.strategy}</h2>
            <p class="note">{row.run}</p>
            <p class={`value ${tone(row.pnl)}`}>{row.pnl === undefined ? '–' : signed(row.pnl)}</p>
            <p class="note">
              {row.markets.join(', ')} on {row.exchange}
              {row.live && ' · real money'}
            </p>
            <p class="note">
              {row.mode}
              {row.equity !== undefined && ` · equity ${money(row.equity)}`}
              {(row.unknown ?? 0) > 0 && ` · ${row.unknown} unknown`}
              {row.ageMs !== undefined && ` · ${age(row.ageMs)} old`}
            </p>
          </a>
        ))}
      </div>
    </main>
  );
}
