// Profit by day, week or month, with the closed round trips.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { PageHistory } from '../../contract.ts';
import { age, clock, percent, signed, tone } from '../format.ts';
import { PERIODS, type PeriodLength, type PeriodRow, periodsOf, totalOf } from '../periods.ts';
import { getHistory } from '../state/server.ts';
import { isUtc } from '../state/settings.ts';
import { facts, shownRun } from '../state/store.ts';

/** Interval between two reads of the history. */
const EVERY_MS = 10_000;
const history = signal<Partial<PageHistory>>({});
const period = signal<PeriodLength>('day');

/** Shows nothing for a run without a history, such as a recording alone. */
export function Periods() {
  const loaded = facts.value; // another one when the run has ended and its replay begins
  useEffect(() => {
    const read = (): void => {
      getHistory(shownRun()).then(
        (found) => (history.value = found),
        () => undefined, // the status bar shows that the page has no connection
      );
    };
    read();
    const timer = setInterval(read, EVERY_MS);
    return () => clearInterval(timer);
  }, [loaded]);
  const { start, days, points = [] } = history.value;
  if (start === undefined || days === undefined || days.length === 0) return null;
  const { trips, won, heldMs } = totalOf({ start, days });
  return (
    <section class="panel periods" aria-label="profit by time">
      <h2>
        profit by {period.value}{' '}
        <span class="note">
          UTC · {tripWords(trips, won, heldMs)} · as of {clock(points.at(-1)?.[0] ?? 0, isUtc.value)}
        </span>
        <span class="filters">
          {PERIODS.map((name) => (
            <button
              key={name}
              type="button"
              class={`chip ${period.value === name ? 'on' : ''}`}
              aria-pressed={period.value === name}
              onClick={() => (period.value = name)}
            >
              {name}
            </button>
          ))}
        </span>
      </h2>
      <div class="rows">
        <table>
          <thead>
            <tr>
              <th>{period.value === 'week' ? 'week from' : period.value}</th>
              <th>profit</th>
              <th>fills</th>
              <th>round trips</th>
              <th>won</th>
              <th>mean duration</th>
            </tr>
          </thead>
          <tbody>
            {periodsOf({ start, days }, period.value).map((row) => (
              <Row key={row.period} {...row} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const tripWords = (trips: number, won: number, heldMs: number): string =>
  trips === 0
    ? 'no round trip closed yet'
    : `${trips} round ${trips === 1 ? 'trip' : 'trips'} closed, ${percent(won / trips)} won, ${age(heldMs / trips)} each`;

function Row({ period: name, pnl, fills, trips, won, heldMs }: PeriodRow) {
  return (
    <tr>
      <td>{name}</td>
      <td class={tone(String(pnl))}>{signed(String(pnl))}</td>
      <td>{fills}</td>
      <td>{trips}</td>
      <td>{trips === 0 ? '–' : percent(won / trips)}</td>
      <td>{trips === 0 ? '–' : age(heldMs / trips)}</td>
    </tr>
  );
}
