// Measures turns per second: an engine with the grid, ten orders a side, repeats the events of a recorded run. Turns are the main cost of a backtest.

import { type Millis, VirtualClock } from '../src/base/clock.ts';
import { assert } from '../src/base/errors.ts';
import { rngFrom } from '../src/base/rng.ts';
import type { Event } from '../src/bot/domain/event.ts';
import { micros } from '../src/bot/domain/numbers.ts';
import type { Turn } from '../src/bot/domain/turn.ts';
import type { Venue } from '../src/bot/exchange/port.ts';
import { rulesFrom } from '../src/bot/risk/rules.ts';
import { assemble } from '../src/bot/run/core/assemble.ts';
import { loadConfig } from '../src/bot/run/core/config.ts';
import { startRun } from '../src/bot/run/core/run.ts';
import { NO_HISTORY } from '../src/bot/run/state/history.ts';
import { headerText, turnText } from '../src/bot/run/state/turn-recording.ts';
import type { Params, Strategy } from '../src/bot/strategy/contract.ts';
import { deciderOf } from '../src/bot/strategy/decide.ts';
import { loadStrategy } from '../src/bot/strategy/loading/loader.ts';
import { latenciesOf } from '../src/embedded/adapter/latency.ts';
import { embeddedVenue } from '../src/embedded/adapter/venue.ts';
import { Exchange } from '../src/embedded/exchange/exchange.ts';
import { flowNamed } from '../src/embedded/exchange/traders/flow.ts';
import { type Bench, contest, times } from './measure.ts';

const START: Millis = 1_760_000_000_000;
const SPAN: Millis = 600_000;
const LEVELS = 10;
/** Microseconds per turn. */
const AIM = 8;

export const turns: Bench = async () => {
  const { strategy } = await loadStrategy('grid');
  const { venue, clock } = venueOf();
  const turns = turnsOf(strategy, { venue, clock, span: SPAN }).map(({ events }) => events);
  const texts = turns.map((events) => JSON.stringify(events));
  const { ours, plain } = await contest(
    {
      ours: () => {
        const { engine } = botAt(venue, strategy);
        return () => turns.reduce((actions, events) => actions + engine.step(...events).actions.length, 0);
      },
      plain: () => () => texts.reduce((sum, text) => sum + (JSON.parse(text) as readonly Event[]).length, 0),
    },
    { rounds: 7, calls: 5 },
  );
  const [turn, reading] = [ours.p50 / turns.length, plain.p50 / turns.length];
  return [
    {
      name: `turns: the grid, ${LEVELS} orders a side, ${(turns.flat().length / turns.length).toFixed(1)} events a turn`,
      figure: `${turn.toFixed(1)} µs (${(1e3 / turn).toFixed(0)}k turns/s)`,
      baseline: `JSON.parse of what a turn sees ${reading.toFixed(1)} µs`,
      ratio: times(reading / turn),
      aim: `at most ${AIM} µs`,
      met: turn <= AIM,
    },
  ];
};

const CONFIG = loadConfig({ file: undefined, sets: [] });

/** Returns the embedded exchange with its traders, at the default polling. */
function venueOf(): { venue: Venue; clock: VirtualClock } {
  const clock = new VirtualClock(START);
  const exchange = new Exchange({ seed: 'bench', flow: flowNamed('swinging'), start: START - 60_000 });
  exchange.advanceTo(START);
  const venue = embeddedVenue({
    exchange,
    clock,
    account: exchange.register('bench', micros(100_000e6)),
    markets: ['BTCUSDC'],
    polling: CONFIG.polling,
    latency: latenciesOf({ kind: 'constant', there: 20, back: 20 }, { rng: rngFrom('bench'), clock }),
  });
  return { venue, clock };
}

function botAt({ feed: { markets } }: Venue, strategy: Strategy<Params>) {
  const params = { ...strategy.defaults, market: 'BTCUSDC', levels: LEVELS };
  const decide = deciderOf(strategy, params, { rng: rngFrom('bench'), markets });
  return assemble({ markets, history: NO_HISTORY, startedAt: START, decide, rules: rulesFrom(CONFIG.limits) });
}

/** Returns the turns of a run. Their events stay valid for an engine that decides the same. */
function turnsOf(strategy: Strategy<Params>, { venue, clock, span }: { venue: Venue; clock: VirtualClock; span: Millis }): readonly Turn[] {
  const turns: Turn[] = [];
  const { world, engine } = botAt(venue, strategy);
  const run = startRun({ clock, venue, world, engine });
  run.turns.subscribe((turn) => turns.push(turn));
  clock.advanceTo(START + span);
  assert(world.orders().length >= LEVELS, `${world.orders().length} orders rest at the end`);
  return turns;
}

/** Returns the lines of a recording of the grid over so many milliseconds on the embedded exchange. */
export async function recordedGrid(span: Millis): Promise<readonly string[]> {
  const { strategy } = await loadStrategy('grid');
  const { venue, clock } = venueOf();
  const turns = turnsOf(strategy, { venue, clock, span });
  const header = headerText({
    strategy: 'grid',
    params: strategy.defaults,
    limits: CONFIG.limits,
    seed: 'bench',
    startedAt: START,
    markets: venue.feed.markets.map(({ spec }) => spec),
    history: NO_HISTORY,
  });
  return [header, ...turns.map(turnText)];
}
