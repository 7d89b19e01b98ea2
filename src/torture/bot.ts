// The bot as the command line starts it: its state on a disk, its venue over a line, its strategy; only the rim is simulated.
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { rngFrom } from '../base/rng.ts';
import type { Transport } from '../base/transport.ts';
import { connectHosted } from '../exchange/hosted/connect.ts';
import type { Wallet } from '../exchange/hosted/session-opening.ts';
import type { LockOptions } from '../journal/lock.ts';
import { openState } from '../run/state.ts';
import { startTrading, type Trading } from '../run/trading.ts';
import { admission, continued } from '../run/venue.ts';
import type { Params, Strategy } from '../strategy/contract.ts';
import { deciderOf } from '../strategy/decide.ts';
import { bundledSchema } from '../wire/schema.ts';
import { type Signatures, toBase58 } from '../wire/signing.ts';
import { limitsOf } from './limits.ts';
import type { Options } from './options.ts';

export interface BotOptions {
  readonly options: Options;
  /** Which process of this run it is. */
  readonly number: number;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly disk: Disk;
  readonly processes: LockOptions;
  readonly signing: Signatures;
  readonly wallet: Wallet;
  readonly strategy: Strategy<Params>;
  readonly params: Params;
  readonly markets: readonly string[];
  readonly log: (text: string) => void;
}

export interface Bot {
  readonly trading: Trading;
  /** Lets go of the exchange and the disk, as the end of a process does. */
  close(): void;
}

/** Rejects as the start of a run does. */
export async function startBot({
  options,
  number,
  clock,
  transport,
  disk,
  processes,
  signing,
  wallet,
  ...given
}: BotOptions): Promise<Bot> {
  const { strategy, params, markets, log } = given;
  const started = String(number).padStart(6, '0');
  const { record: _, ...state } = openState(disk, { clock, started, processes, randomBelow: seriesOf(options) });
  try {
    const rng = rngFrom(options.seed).fork(`process ${number}`);
    const venue = await connectHosted({
      clock,
      rng: rng.fork('venue'),
      polling: options.polling,
      markets,
      log: { info: log, warn: log },
      ...continued({ clock, state, limits: limitsOf(options) }),
      ...admission({ clock, state }, { exchange: 'hosted', user: toBase58(wallet.publicKey) }),
      transport,
      schema: bundledSchema(),
      wallet,
      signatures: signing,
    });
    const decide = deciderOf(strategy, params, { rng: rng.fork('strategy'), markets: venue.feed.markets });
    const name = { run: 'torture', strategy: strategy.name, exchange: 'hosted' };
    const trading = startTrading({ clock, venue, state, decide, limits: limitsOf(options), params, seed: options.seed, name });
    return {
      trading,
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

/** The same in each process of the simulation, so that a journal whose identity was never durable gets the same again. */
const seriesOf = ({ seed }: Options) => {
  const rng = rngFrom(seed).fork('series');
  return (limit: number): number => rng.below(limit);
};
