// The foreign exchange on virtual time, a bot's process that trades there, and a witness who sees the truth at each of its actions.
import { readFileSync } from 'node:fs';
import { type Clock, VirtualClock } from '../../src/base/clock.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../src/base/transport.ts';
import { inProcessTransport } from '../../src/exchange/transport/in-process.ts';
import type { Line } from '../../src/report/lines.ts';
import type { Summary } from '../../src/report/summary.ts';
import { walletOf } from '../../src/run/key-file.ts';
import type { Ending } from '../../src/run/run.ts';
import { memoryState } from '../../src/run/state.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../../src/wire/schema.ts';
import { type ForeignExchange, type ForeignOptions, startForeignExchange } from '../foreign/exchange.ts';
import { keyNamed } from '../foreign/keys.ts';
import { type Bot, driven, latencies, START, startBot } from '../replay/virtual-run.ts';
import { Witness } from './foreign-witness.ts';

export const LIVE_SCHEMA = new URL('../foreign/live.proto', import.meta.url);
export const USER = keyNamed('user');
const SECRET_BYTES = 32;
const SESSION_KEY = Uint8Array.from(keyNamed('session').keyFile.slice(0, SECRET_BYTES));

export const wallet = walletOf(Uint8Array.from(USER.keyFile.slice(0, SECRET_BYTES)));

/** What the exchange is like, and what the bot is told of it. */
export interface Setting {
  readonly seed: string;
  /** `grid` unless told. */
  readonly strategy?: string;
  readonly exchange?: ForeignOptions;
  /** The user's first unless told. */
  readonly account?: number;
}

/** What a run came to. */
export interface Finished {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly lines: readonly Line[];
}

export class ForeignStage {
  readonly clock: VirtualClock;
  readonly foreign: ForeignExchange;
  readonly witness: Witness;
  readonly #account: number;
  readonly #seed: string;
  readonly #strategy: string;
  readonly #schema: ActionSchema;
  readonly #transport: Transport;

  private constructor({ setting, clock, foreign }: { setting: Setting; clock: VirtualClock; foreign: ForeignExchange }) {
    const { seed, strategy = 'grid', exchange = {}, account = exchange.accountIds?.[0] ?? 4 } = setting;
    this.clock = clock;
    this.foreign = foreign;
    this.#account = account;
    this.witness = new Witness({ state: foreign.state, account, second: () => this.second });
    this.#seed = seed;
    this.#strategy = strategy;
    this.#schema = exchange.numbering === 'live' ? loadSchema(readFileSync(LIVE_SCHEMA, 'utf8')) : bundledSchema();
    this.#transport = lineTo((request) => this.witness.during(request, () => foreign.handle(request)), {
      clock,
      latencyMs: latencies(seed),
    });
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

  /** A new process of the bot; it goes on where the lines of an earlier one end. */
  async bot(earlier: readonly Line[] = []): Promise<BotProcess> {
    const { strategy } = await loadStrategy(this.#strategy);
    const life = lifeOf({ clock: this.clock, transport: this.#transport });
    const state = { ...memoryState(earlier), sessionKey: () => SESSION_KEY };
    const identity = { wallet, accountId: this.#account, schema: this.#schema, exchange: 'foreign' };
    const bot = await driven(this.clock, startBot({ ...identity, ...life, seed: this.#seed, strategy, state }));
    return {
      lines: state.lines,
      kill: life.kill,
      stop: () => driven(this.clock, finish(bot, state.lines)),
    };
  }

  close(): Promise<void> {
    return this.foreign.close();
  }
}

export interface BotProcess {
  /** As they come. */
  readonly lines: readonly Line[];
  /** It ends in the middle of whatever it is doing. */
  kill(): void;
  stop(): Promise<Finished>;
}

async function finish({ trading, venue }: Bot, lines: readonly Line[]): Promise<Finished> {
  trading.run.stop('the story ends');
  const ending = await trading.run.done;
  const summary = trading.summary();
  await venue.gateway.close();
  return { ending, summary, lines };
}

/** Once killed, no timer of it rings and no reply reaches it; what it has sent arrives all the same. */
function lifeOf({ clock, transport }: { clock: Clock; transport: Transport }): { clock: Clock; transport: Transport; kill: () => void } {
  let alive = true;
  const ifAlive =
    <Args extends readonly unknown[]>(run: (...args: Args) => void) =>
    (...args: Args): void => {
      if (alive) run(...args);
    };
  return {
    clock: { now: () => clock.now(), at: (when, run) => clock.at(when, ifAlive(run)) },
    transport: {
      request: (request, limits) =>
        new Promise((resolve, reject) => void transport.request(request, limits).then(ifAlive(resolve), ifAlive(reject))),
      close: () => transport.close(),
    },
    kill: () => {
      alive = false;
    },
  };
}

const LOST: HttpReply = { status: 0, contentType: '', body: new Uint8Array() };

/** An in-process transport to a server that may lose a reply. */
function lineTo(handle: (request: HttpRequest) => HttpReply | undefined, network: { clock: Clock; latencyMs: () => number }): Transport {
  const line = inProcessTransport({ handler: (request) => handle(request) ?? LOST, ...network });
  return {
    async request(request, limits) {
      const reply = await line.request(request, limits);
      if (reply === LOST) throw new TransportError('noReply', 'the line went dead');
      return reply;
    },
    close: () => line.close(),
  };
}
