// The foreign exchange on virtual time, a bot's process that trades there, and a witness who sees the truth at each of its actions.
import { readFileSync } from 'node:fs';
import { type Clock, VirtualClock } from '../../../src/base/clock.ts';
import type { Transport } from '../../../src/base/transport.ts';
import type { Line } from '../../../src/report/accounting/lines.ts';
import type { Summary } from '../../../src/report/accounting/summary.ts';
import type { Ending } from '../../../src/run/core/run.ts';
import { walletOf } from '../../../src/run/keys/key.ts';
import { isLine } from '../../../src/run/state/entries.ts';
import { openState, type State } from '../../../src/run/state/state.ts';
import type { Params } from '../../../src/strategy/contract.ts';
import { loadStrategy } from '../../../src/strategy/loading/loader.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../../../src/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { type ForeignExchange, type ForeignOptions, startForeignExchange } from '../../foreign/exchange.ts';
import type { Request } from '../../foreign/http.ts';
import { keyNamed } from '../../foreign/keys.ts';
import { type Bot, latencies, START, startBot } from '../../replay/virtual-run.ts';
import { MemoryDisk } from '../../unit/journal/memory-disk.ts';
import { lifeOf, lineTo } from './foreign-process.ts';
import { Witness } from './foreign-witness.ts';

export const LIVE_SCHEMA = new URL('../../foreign/live.proto', import.meta.url);
export const USER = keyNamed('user');
const FIRST_ACCOUNT = 4;
const SECRET_BYTES = 32;
const SESSION_KEY = Uint8Array.from(keyNamed('session').keyFile.slice(0, SECRET_BYTES));

export const wallet = walletOf(Uint8Array.from(USER.keyFile.slice(0, SECRET_BYTES)));

interface StrategyChoice {
  readonly name: string;
  readonly params?: Params;
}

/** With room for the whole swing of the crowd's price, so that it always has something to do. */
const GRID: StrategyChoice = { name: 'grid', params: { maxPositionNotional: 15_000 } };

/** What the exchange is like, and what the bot is informed of it. */
export interface Setting {
  readonly seed: string;
  /** `GRID` by default. */
  readonly strategy?: StrategyChoice;
  readonly exchange?: ForeignOptions;
  /** The user's first by default. */
  readonly account?: number;
  /** What stands between the bot and the exchange, beside some latency; nothing by default. */
  readonly network?: (line: Transport, clock: Clock) => Transport;
}

export interface BotProcess {
  /** As they come. */
  readonly lines: readonly Line[];
  /** It ends in the middle of whatever it is doing. */
  kill(): void;
  /** It cancels what rests, and ends when all is proved gone. */
  stop(): Promise<Finished>;
}

interface Finished {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly lines: readonly Line[];
}

export class ForeignStage {
  readonly clock: VirtualClock;
  readonly foreign: ForeignExchange;
  readonly witness: Witness;
  /** Of the state directory, which all processes of the bot have in turn. */
  readonly disk = new MemoryDisk();
  #processes = 0;
  readonly #setting: Setting;
  readonly #schema: ActionSchema;
  readonly #transport: Transport;

  private constructor({ setting, clock, foreign }: { setting: Setting; clock: VirtualClock; foreign: ForeignExchange }) {
    const { seed, exchange = {}, account = FIRST_ACCOUNT, network = (line) => line } = setting;
    this.clock = clock;
    this.foreign = foreign;
    this.witness = new Witness({ state: foreign.state, account, second: () => this.second });
    this.#setting = setting;
    this.#schema = exchange.numbering === 'live' ? loadSchema(readFileSync(LIVE_SCHEMA, 'utf8')) : bundledSchema();
    const handle = (request: Request) => this.witness.during(request, () => foreign.handle(request));
    this.#transport = network(lineTo(handle, { clock, latencyMs: latencies(seed) }), clock);
  }

  static async open(setting: Setting): Promise<ForeignStage> {
    const clock = new VirtualClock(START);
    const foreign = await startForeignExchange({ seed: setting.seed, ...setting.exchange, now: () => clock.now() });
    return new ForeignStage({ setting, clock, foreign });
  }

  /** Since the exchange opened. */
  get second(): number {
    return (this.clock.now() - START) / 1_000;
  }

  /** Lets time pass until so many seconds after the exchange opened. */
  until(second: number): Promise<void> {
    return this.clock.drive(START + second * 1_000);
  }

  /** Lets time pass until so many actions of the bot have arrived; the reply to the last is still on its way. A minute at most. */
  untilSent(actions: number): Promise<void> {
    return this.clock.drive(this.clock.now() + 60_000, () => this.witness.sent.length >= actions);
  }

  /** A new process of the bot; it finds the state directory as the one before it left it. */
  async bot(): Promise<BotProcess> {
    const { seed, account: accountId, strategy: choice = GRID } = this.#setting;
    const { strategy } = await loadStrategy(choice.name);
    const { kill, ...life } = lifeOf({ clock: this.clock, transport: this.#transport });
    const { state, lines } = this.#state();
    const identity = { wallet, accountId, schema: this.#schema, exchange: 'foreign' };
    const bot = await driven(this.clock, startBot({ ...identity, ...life, seed, strategy, params: choice.params, state }));
    return { lines, kill, stop: () => driven(this.clock, finish(bot, lines)) };
  }

  /** `lines`: those of the processes before it, too. */
  #state(): { state: State; lines: readonly Line[] } {
    const self = { pid: ++this.#processes, started: '', boot: '' };
    const started = String(self.pid).padStart(3, '0');
    const state = openState(this.disk, { clock: this.clock, started, processes: { self, alive: () => false } });
    const lines = state.earlier.filter(isLine);
    const append: State['append'] = (entries) => {
      state.append(entries);
      lines.push(...entries.filter(isLine));
    };
    return { state: { ...state, append, sessionKey: () => SESSION_KEY }, lines };
  }

  close(): Promise<void> {
    return this.foreign.close();
  }
}

async function finish({ trading, venue }: Bot, lines: readonly Line[]): Promise<Finished> {
  trading.run.stop('the story ends');
  const ending = await trading.run.done;
  const summary = trading.summary();
  await venue.gateway.close();
  return { ending, summary, lines };
}
