// The bot as the command line starts it: its state on a disk, its venue over a connection, its strategy. Only the adapters are simulated.
import type { Clock } from '../../../../base/clock.ts';
import type { Disk } from '../../../../base/files/disk.ts';
import { rngFrom } from '../../../../base/rng.ts';
import type { Transport } from '../../../../base/transport/transport.ts';
import type { LockOptions } from '../../../../bot/journal/directory-lock.ts';
import { startTrading, type Trading } from '../../../../bot/run/core/trading.ts';
import type { Entry, ForeignOrdersPolicy } from '../../../../bot/run/state/entries.ts';
import { tradesToResume } from '../../../../bot/run/state/resume-trades.ts';
import { openState } from '../../../../bot/run/state/state.ts';
import type { Params, Strategy } from '../../../../bot/strategy/contract.ts';
import { deciderOf } from '../../../../bot/strategy/decide.ts';
import { inputsOf } from '../../../../bot/strategy/inputs.ts';
import { recordedInputs } from '../../../backtest/recorded-inputs.ts';
import type { Connecting, PlayedExchange } from '../../exchange-api.ts';
import { limitsOf } from '../../limits.ts';
import type { Options, StrategyData } from '../../plan/options.ts';

export interface BotOptions extends StrategyData {
  readonly options: Options;
  /** The number of the process within this run. */
  readonly number: number;
  readonly clock: Clock;
  readonly transport: Transport;
  /** Absent if the bot does not listen to the websocket of the exchange. */
  readonly dialStreams?: Connecting['dialStreams'];
  readonly disk: Disk;
  readonly processes: LockOptions;
  readonly played: PlayedExchange;
  readonly strategy: Strategy<Params>;
  readonly params: Params;
  readonly markets: readonly string[];
  /** What the start does with orders that the state does not know. */
  readonly foreign: ForeignOrdersPolicy;
  /** How often the state directory was lost before: a new directory gets another series of ids. */
  readonly losses: number;
  readonly log: (text: string) => void;
  /** True if its start compares the schema with the published one, which takes one more request. */
  readonly comparesSchema: boolean;
}

export interface Bot {
  readonly trading: Trading;
  /** What earlier processes left in the journal. */
  readonly earlier: readonly Entry[];
  /** True if the run had placed nothing before this process: earlier trades are not its own. */
  readonly isFirst: boolean;
  /** Releases the exchange and the disk, as the end of a process does. */
  close(): void;
}

/** Starts a run. Rejects if the start fails, with the same errors as on the command line. */
export async function startBot({
  options,
  number,
  clock,
  transport,
  dialStreams,
  disk,
  processes,
  played,
  foreign,
  losses,
  ...given
}: BotOptions): Promise<Bot> {
  const { strategy, params, markets, history, inputs: values = {}, log, comparesSchema } = given;
  const limits = limitsOf(options);
  const started = String(number).padStart(6, '0');
  // Without `record` the run writes no recording of its turns, which no invariant reads.
  const { record: _, ...state } = openState(disk, { clock, started, processes, randomBelow: seriesOf(options, losses) });
  try {
    const rng = rngFrom(options.seed).fork(`process ${number}`);
    const logs = { info: log, warn: log };
    const isFirst = tradesToResume(state.earlier) === undefined;
    const connected = await played.connect({
      options,
      clock,
      rng,
      markets,
      state,
      limits,
      foreign,
      log: logs,
      transport,
      dialStreams,
      comparesSchema,
    });
    const venue = history === undefined ? connected : { ...connected, history };
    const decide = deciderOf(strategy, params, { rng: rng.fork('strategy'), markets: venue.feed.markets });
    const name = { run: 'torture', strategy: strategy.name, exchange: played.name };
    const inputs = recordedInputs(inputsOf(strategy, params), values, clock);
    const trading = startTrading({ clock, venue, state, decide, limits, params, seed: options.seed, name, foreign, inputs });
    return {
      trading,
      earlier: state.earlier,
      isFirst,
      close() {
        void venue.gateway.close();
        state.close();
      },
    };
  } catch (error) {
    state.close();
    throw error;
  }
}

/** The same in each process of the simulation: a process whose journal lost its identity line draws the same series again. */
const seriesOf = ({ seed }: Options, losses: number) => {
  const rng = rngFrom(seed).fork(losses === 0 ? 'series' : `series ${losses}`);
  return (limit: number): number => rng.below(limit);
};
