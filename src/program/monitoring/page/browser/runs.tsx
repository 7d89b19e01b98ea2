// The list of runs: of a fleet with its sums and limits, or all of this machine. A click opens a run.
import { signal } from '@preact/signals';
import type { PageFleet, RunList, RunRow } from '../contract.ts';
import { age, money, signed, tone } from './format.ts';
import { MarginMeter } from './panels/margins.tsx';
import { Tile } from './panels/money.tsx';
import { getRuns } from './state/server.ts';

const EVERY_MS = 2_000;
const list = signal<RunList>({ runs: [] });
const isLost = signal(false);
const STATES = {
  running: '● running',
  hangs: '▲ hangs',
  done: '○ done',
  failed: '✕ failed',
  killed: '■ killed',
  limit: '▼ limit',
} as const;

const readAgain = (): void => {
  setTimeout(() => {
    getRuns().then(
      (found) => {
        list.value = found;
        isLost.value = false;
        readAgain();
      },
      () => {
        isLost.value = true;
        readAgain();
      },
    );
  }, EVERY_MS);
};

export function Runs({ first }: { first: RunList }) {
  if (list.value.runs.length === 0) {
    list.value = first;
    readAgain();
  }
  const { runs, fleet } = list.value;
  document.title = fleet === undefined ? 'tickwright' : `fleet ${fleet.fleet}`;
  return (
    <main class="runs">
      <h1>{fleet === undefined ? 'runs of this machine' : `fleet ${fleet.fleet}`}</h1>
      {isLost.value && <p class="band">the server of this page does not answer; the runs themselves may go on</p>}
      {fleet !== undefined && <Fleet {...fleet} />}
      <div class="cards">
        {runs.map((row) => (
          <Card key={row.id} {...row} />
        ))}
      </div>
    </main>
  );
}

/** The profit and positions of all runs of a fleet together, and how much of each limit is used. */
function Fleet({ pnl, today, gross, limits }: PageFleet) {
  return (
    <>
      <section class="tiles" aria-label="sums of the fleet">
        <Tile name="profit" tone={tone(pnl)} value={signed(pnl)}>
          of all runs
        </Tile>
        <Tile name="today" tone={tone(today)} value={signed(today)}>
          since midnight UTC
        </Tile>
        <Tile name="positions" value={money(gross)}>
          long plus short
        </Tile>
      </section>
      {limits.length > 0 && (
        <section class="margins" aria-label="limits of the fleet">
          {limits.map(({ limit, used, most, mode, acted }) => (
            <MarginMeter
              key={limit}
              name={limit}
              share={acted ? 1 : Math.min(1, Number(used) / Number(most))}
              text={
                acted
                  ? `was exceeded: all runs are in mode ${mode} until each is resumed`
                  : `${money(used)} of ${money(most)}, then ${mode}`
              }
            />
          ))}
        </section>
      )}
    </>
  );
}

function Card({ id, run, strategy, exchange, markets, live, process, outcome, reason, identity, state, mode, ...figures }: RunRow) {
  const { pnl, equity, unknown = 0, ageMs } = figures;
  const shown = process === 'hangs' ? 'hangs' : outcome;
  const parts = [
    process === 'ended' && mode === 'active' ? undefined : mode,
    equity && `equity ${money(equity)}`,
    unknown > 0 ? `${unknown} unknown` : undefined,
    ageMs === undefined ? undefined : `${age(ageMs)} ${process === 'ended' ? 'ago' : 'old'}`,
  ];
  return (
    <a class={`card ${shown} ${live ? 'real' : ''}`} href={`/?run=${encodeURIComponent(id)}`}>
      <span class="state">{STATES[shown]}</span>
      <h2>{strategy}</h2>
      <p class="note">{run}</p>
      <p class={`value ${tone(pnl)}`}>{pnl === undefined ? '–' : signed(pnl)}</p>
      {reason !== undefined && <p class="reason">{reason}</p>}
      <p class="note">
        {markets.join(', ')} on {exchange}
      </p>
      <p class="note">{identity}</p>
      <p class="note">{parts.filter((part) => part !== undefined && part !== '').join(' · ')}</p>
      <p class="note path" title={state}>
        {state}
      </p>
    </a>
  );
}
