// The list of runs, with the sums of all: of a fleet with its limits, or all of this machine. A click opens a run. shown-runs.ts filters and orders,
// run-card.tsx shows one.
import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PageFleet, RunList, RunSums } from '../contract.ts';
import { ChartLibrary } from './charts/chart-library.tsx';
import { EquityChart } from './charts/equity-chart.ts';
import { money, signed, tone } from './format.ts';
import { MarginMeter } from './panels/margins.tsx';
import { Tile } from './panels/money.tsx';
import { SettingButtons } from './panels/status-bar.tsx';
import { RunCard } from './run-card.tsx';
import { ORDERS, type RunChoice, STATES, shownRuns } from './shown-runs.ts';
import { getRuns } from './state/server.ts';
import { isUtc, theme } from './state/settings.ts';

/** Interval between two reads of the list. */
const EVERY_MS = 2_000;
const list = signal<RunList>({ runs: [], sums: [] });
const isLost = signal(false);
const choice = signal<RunChoice>({ state: 'all', order: 'state', text: '' });

const show = ({ runs = [], sums = [], fleet }: Partial<RunList>): void => {
  list.value = { runs, sums, fleet };
};

/** Shows the list, and reads it again from time to time. */
export function begin(first: Partial<RunList>): void {
  show(first);
  readAgain();
}

const readAgain = (): void => {
  setTimeout(() => {
    getRuns().then(
      (found) => {
        show(found);
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

export function Runs() {
  const { runs, sums, fleet } = list.value;
  const shown = shownRuns(runs, choice.value);
  document.title = fleet === undefined ? 'tickwright' : `fleet ${fleet.fleet}`;
  return (
    <main class="runs">
      <header>
        <h1>{fleet === undefined ? 'runs of this machine' : `fleet ${fleet.fleet}`}</h1>
        <SettingButtons />
      </header>
      {isLost.value && <p class="band">the server of this page does not answer; the runs themselves may go on</p>}
      {fleet !== undefined && <Fleet {...fleet} />}
      {sums.map((one) => (
        <Sums key={one.money} {...one} />
      ))}
      {runs.length === 0 && (
        <p class="empty">
          no runs on this machine yet: <code>npm run bot -- --strategy grid</code> starts one, and it is shown here
        </p>
      )}
      {runs.length > 1 && <Choices shown={shown.length} all={runs.length} />}
      <div class="cards">
        {shown.map((row) => (
          <RunCard key={row.id} {...row} />
        ))}
      </div>
      <footer>
        <ChartLibrary />
      </footer>
    </main>
  );
}

/** The sums of all runs with practice money, or with real money. */
function Sums({ money: kind, runs, alive, failed, pnl, today, equity, openOrders, alarms, curve }: RunSums) {
  const name = kind === 'real' ? 'real money' : 'practice';
  return (
    <section class={`sums ${kind}`} aria-label={`all runs, ${name}`}>
      <div class="tiles">
        <Tile name={name} value={`${alive} of ${runs} running`}>
          {failed > 0 ? <b class="down">✕ {failed} failed</b> : 'none failed'}
          {alarms > 0 && <b class="down"> · ▲ {alarms === 1 ? '1 alarm' : `${alarms} alarms`}</b>}
        </Tile>
        <Tile name="profit" tone={tone(pnl)} value={signed(pnl)}>
          {runs === 1 ? 'of one run' : `of all ${runs} runs`}
        </Tile>
        <Tile name="today" tone={tone(today)} value={signed(today)}>
          since midnight UTC
        </Tile>
        <Tile name="equity" value={equity === undefined ? '–' : money(equity)}>
          of the accounts of running runs
        </Tile>
        <Tile name="open orders" value={String(openOrders)}>
          of running runs
        </Tile>
      </div>
      {curve.length > 1 && (
        <div class="panel">
          <h2>
            profit <span class="note">of all runs together, and drawdown</span>
          </h2>
          <WholeCurve curve={curve} />
        </div>
      )}
    </section>
  );
}

function WholeCurve({ curve }: Pick<RunSums, 'curve'>) {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<EquityChart>(undefined);
  useEffect(() => {
    if (element.current === null) return undefined;
    const made = new EquityChart(element.current);
    chart.current = made;
    const end = effect(() => made.style(theme.value, isUtc.value));
    return () => {
      end();
      made.remove();
    };
  }, []);
  useEffect(() => chart.current?.show(curve.map(([at, pnl]) => [at, '', pnl])), [curve]);
  return <div class="chart whole" ref={element} />;
}

function Choices({ shown, all }: { shown: number; all: number }) {
  const set = (change: Partial<RunChoice>): void => {
    choice.value = { ...choice.value, ...change };
  };
  const { state, order, text } = choice.value;
  return (
    <p class="choices filters">
      {STATES.map((name) => (
        <button
          key={name}
          type="button"
          class={`chip ${state === name ? 'on' : ''}`}
          aria-pressed={state === name}
          onClick={() => set({ state: name })}
        >
          {name}
        </button>
      ))}
      <input
        type="search"
        placeholder="name, market, account, reason"
        aria-label="show runs with these words"
        value={text}
        onInput={(event) => set({ text: event.currentTarget.value })}
      />
      <label>
        order by{' '}
        <select value={order} onChange={(event) => set({ order: event.currentTarget.value as RunChoice['order'] })}>
          {ORDERS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <span class="note" aria-live="polite">
        {shown === all ? `${all} runs` : `${shown} of ${all} runs`}
      </span>
    </p>
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
