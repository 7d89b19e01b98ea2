// Runs the benches and prints a table: `npm run bench -- [name…]`; `--strategy NAME` is for `parity` and `hours`, `--count N` for these and `outside`,
// `--market NAME` for `parity`, `--row TEXT` for `growth` and `peers`. Each figure is compared with a plain implementation measured in the same run.
//   measure.ts                   how a bench measures
//   sign, turn, outside, turns, matching, flow, replay, idle, streams   the benches, described in README.md
//   bot.ts, connection.ts, books.ts    the bot and the exchange of the `turn` bench
//   server.ts                    the embedded exchange as a server; forked-server.ts: a server's process, exchange-process.ts and plain-server.ts: two such
//   plain-*.ts, outside-client.ts   the plain implementations
//   dense-tape.ts                generated tapes; play-tape.ts: a backtest on one tape; replay-process.ts: one in its own process
//   start.ts                     what a user waits for; cpu-time.ts: the CPU time of whole processes
//   growth.ts                    how the CPU time of commands grows with their input; long-state.ts, page-process.ts: a long run and its page
//   disk.ts                      what a run keeps on disk in a day
//   hours.ts                     what each built-in strategy earns in an hour
//   verdicts.ts, simulated-sweeps.ts   how often the verdict of a sweep is right
//   parity.ts, seen-run.ts       runs beside backtests on what they saw
//   peers/                       comparison with hftbacktest and NautilusTrader; on candles with backtesting.py, backtrader, vectorbt and pandas
import { parseArgs } from 'node:util';
import { REGIME_NAMES } from '../src/embedded/exchange/traders/regimes.ts';
import { disk } from './disk.ts';
import { flow } from './flow.ts';
import { growth } from './growth.ts';
import { hours } from './hours.ts';
import { idle } from './idle.ts';
import { matching } from './matching.ts';
import type { Bench, BenchOptions, Row } from './measure.ts';
import { outside } from './outside.ts';
import { parity } from './parity.ts';
import { candles } from './peers/candles.ts';
import { peers } from './peers/peers.ts';
import { replay } from './replay.ts';
import { server } from './server.ts';
import { sign } from './sign.ts';
import { start } from './start.ts';
import { streams } from './streams.ts';
import { turn } from './turn.ts';
import { turns } from './turns.ts';
import { verdicts } from './verdicts.ts';

const BENCHES: Readonly<Record<string, Bench>> = { sign, turn, turns, matching, flow, replay, idle, streams };
/** Run only if named, because they download, or take minutes. */
const ON_REQUEST: Readonly<Record<string, Bench>> = { start, growth, server, outside, candles, peers, disk, hours, parity, verdicts };
const ALL = { ...BENCHES, ...ON_REQUEST };
const HEADINGS = ['measured', 'ours', 'beside it', 'better by', 'aim', ''] as const;

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { strategy: { type: 'string', multiple: true }, market: { type: 'string' }, count: { type: 'string' }, row: { type: 'string' } },
});
const market = REGIME_NAMES.find((name) => name === values.market);
const options: BenchOptions = {
  strategies: values.strategy,
  market,
  count: values.count === undefined ? undefined : Number(values.count),
  row: values.row,
};
if (values.market !== market) {
  console.error(`error: there is no market ${values.market}; there are ${REGIME_NAMES.join(', ')}`);
  process.exit(2);
}
const unknown = named.filter((name) => !Object.hasOwn(ALL, name));
if (unknown.length > 0) {
  console.error(`error: there is no bench ${unknown.join(', ')}; there are ${Object.keys(ALL).join(', ')}`);
  process.exit(2);
}
if (values.row !== undefined && named.some((name) => name !== 'growth' && name !== 'peers')) {
  console.error('error: --row is for growth and peers alone');
  process.exit(2);
}
if (market !== undefined && named.some((name) => name !== 'parity')) {
  console.error('error: --market is for parity alone; the other benches have markets of their own');
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, bench] of Object.entries(named.length === 0 ? BENCHES : ALL)) {
  if (named.length > 0 && !named.includes(name)) continue;
  console.error(`${name} …`);
  rows.push(...(await bench(options)));
}
console.log(tableOf([HEADINGS, ...rows.map(cellsOf)]));

function cellsOf({ name, figure, baseline, ratio, aim, met }: Row): readonly string[] {
  return [name, figure, baseline, ratio, aim, met === undefined ? '' : met ? 'ok' : 'below'];
}

function tableOf(lines: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
