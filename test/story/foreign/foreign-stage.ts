// The foreign exchange on virtual time, a bot process that trades there, and a recorder of its actions.
import { readFileSync } from 'node:fs';
import { type Clock, VirtualClock } from '../../../src/base/clock.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import type { Transport } from '../../../src/base/transport/transport.ts';
import type { Line } from '../../../src/bot/accounting/lines.ts';
import type { Summary } from '../../../src/bot/accounting/summary.ts';
import type { Ending } from '../../../src/bot/run/core/run.ts';
import { isLine } from '../../../src/bot/run/state/entries.ts';
import { openState, type State } from '../../../src/bot/run/state/state.ts';
import type { Params } from '../../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { type ForeignExchange, type ForeignOptions, startForeignExchange } from '../../foreign/exchange.ts';
import type { Request } from '../../foreign/http.ts';
import { keyNamed } from '../../foreign/keys.ts';
import { type Bot, latencies, START, startBot } from '../../replay/virtual-run.ts';
import { MemoryDisk } from '../../unit/journal/memory-disk.ts';
import { ActionRecorder } from './action-recorder.ts';
import { killableProcess, transportTo } from './killable-process.ts';

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

/** A grid whose position limit covers the whole price range, so that it always trades. */
const GRID: StrategyChoice = { name: 'grid', params: { maxPositionNotional: 15_000 } };

/** Options of the exchange, and what the bot knows of it. */
export interface Setting {
  readonly seed: string;
  /** `GRID` by default. */
  readonly strategy?: StrategyChoice;
  readonly exchange?: ForeignOptions;
  /** Default: the first account of the user. */
  readonly account?: number;
  /** Wraps the transport between the bot and the exchange; default: latency only. */
  readonly network?: (line: Transport, clock: Clock) => Transport;
}

export interface BotProcess {
  /** Grows while the process runs. */
  readonly lines: readonly Line[];
  /** Ends the process at once. */
  kill(): void;
  /** Cancels all resting orders and ends when their absence is proved. */
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
  readonly recorder: ActionRecorder;
  /** Disk of the state directory, which the processes of the bot use one after the other. */
  readonly disk = new MemoryDisk();
  #processes = 0;
  readonly #setting: Setting;
  readonly #schema: ActionSchema;
  readonly #transport: Transport;

  private constructor({ setting, clock, foreign }: { setting: Setting; clock: VirtualClock; foreign: ForeignExchange }) {
    const { seed, exchange = {}, account = FIRST_ACCOUNT, network = (line) => line } = setting;
    this.clock = clock;
    this.foreign = foreign;
    this.recorder = new ActionRecorder({ state: foreign.state, account, second: () => this.second });
    this.#setting = setting;
    this.#schema = exchange.numbering === 'live' ? loadSchema(readFileSync(LIVE_SCHEMA, 'utf8')) : bundledSchema();
    const handle = (request: Request) => this.recorder.observe(request, () => foreign.handle(request));
    this.#transport = network(transportTo(handle, { clock, latencyMs: latencies(seed) }), clock);
  }

  static async open(setting: Setting): Promise<ForeignStage> {
    const clock = new VirtualClock(START);
    const foreign = await startForeignExchange({ seed: setting.seed, ...setting.exchange, now: () => clock.now() });
    return new ForeignStage({ setting, clock, foreign });
  }

  /** Seconds since the exchange opened. */
  get second(): number {
    return (this.clock.now() - START) / 1_000;
  }

  /** Advances the clock to `second` after the exchange opened. */
  until(second: number): Promise<void> {
    return this.clock.drive(START + second * 1_000);
  }

  /** Advances the clock until `actions` actions of the bot have arrived, at most a minute. The last reply is then still on its way. */
  untilSent(actions: number): Promise<void> {
    return this.clock.drive(this.clock.now() + 60_000, () => this.recorder.sent.length >= actions);
  }

  /** Starts a new process of the bot on the state directory of the previous one. */
  async bot(): Promise<BotProcess> {
    const { seed, account: accountId, strategy: choice = GRID } = this.#setting;
    const { strategy } = await loadStrategy(choice.name);
    const { kill, ...life } = killableProcess({ clock: this.clock, transport: this.#transport });
    const { state, lines } = this.#state();
    const identity = { wallet, accountId, schema: this.#schema, exchange: 'foreign' };
    const bot = await driven(this.clock, startBot({ ...identity, ...life, seed, strategy, params: choice.params, state }));
    return { lines, kill, stop: () => driven(this.clock, finish(bot, lines)) };
  }

  /** `lines` includes the lines of the previous processes. */
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
  trading.run.stop('the test ends');
  const ending = await trading.run.done;
  const summary = trading.summary();
  await venue.gateway.close();
  return { ending, summary, lines };
}
