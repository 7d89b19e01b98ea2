// One run in the list of runs.
import type { RunRow } from '../contract.ts';
import { age, date, money, signed, tone } from './format.ts';
import { isUtc } from './state/settings.ts';

const STATES = {
  running: '● running',
  hangs: '▲ hangs',
  done: '○ done',
  failed: '✕ failed',
  killed: '■ killed',
  limit: '▼ limit',
} as const;

export function RunCard({ id, run, strategy, exchange, markets, process, outcome, reason, identity, state, mode, ...figures }: RunRow) {
  const { pnl, today, equity, positions, openOrders = 0, unknown = 0, alarms = 0, ageMs, started } = figures;
  const shown = process === 'hangs' ? 'hangs' : outcome;
  const ended = process === 'ended';
  const present = [
    ended && mode === 'active' ? undefined : mode,
    ended && openOrders === 0 ? undefined : `${openOrders} ${openOrders === 1 ? 'order' : 'orders'} open${ended ? ' when it ended' : ''}`,
    unknown > 0 ? `${unknown} unknown` : undefined,
    equity && `equity ${money(equity)}`,
  ];
  const times = [
    `since ${date(Date.parse(started), isUtc.value)}`,
    ageMs === undefined ? undefined : ended ? `ended ${age(ageMs)} ago` : `figures ${age(ageMs)} old`,
  ];
  return (
    <a class={`card ${shown} ${figures.money}`} href={`/?run=${encodeURIComponent(id)}`}>
      <span class="state">{STATES[shown]}</span>
      <h2>{strategy}</h2>
      <p class="note">{run}</p>
      <p class={`value ${tone(pnl)}`}>
        {pnl === undefined ? '–' : signed(pnl)}
        {today !== undefined && (
          <span class="note">
            {' '}
            today <b class={tone(today)}>{signed(today)}</b>
          </span>
        )}
      </p>
      {reason !== undefined && <p class="reason">{reason}</p>}
      <p>{positionWords(positions)}</p>
      {alarms > 0 && <p class="alarms">▲ {alarms === 1 ? '1 alarm' : `${alarms} alarms`}</p>}
      <p class="note">{joined(present)}</p>
      <p class="note">
        {markets.join(', ')} on {exchange}
      </p>
      <p class="note">{identity}</p>
      <p class="note">{joined(times)}</p>
      <p class="note path" title={state}>
        {state}
      </p>
    </a>
  );
}

const joined = (parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== '').join(' · ');

function positionWords(positions: RunRow['positions']): string {
  if (positions === undefined) return 'position not known';
  const held = Object.entries(positions);
  return held.length === 0
    ? 'flat'
    : held.map(([symbol, size]) => `${size.startsWith('-') ? '▼' : '▲'} ${size.replace('-', '')} ${symbol}`).join(', ');
}
