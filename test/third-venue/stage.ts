// The third exchange on virtual time, with a faulty transport, a faulty socket, and bot processes that trade there.
import { type Clock, VirtualClock } from '../../src/base/clock.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import { type Dial, type HttpRequest, type Socket, type Transport, TransportError } from '../../src/base/transport/transport.ts';
import type { Summary } from '../../src/bot/accounting/summary.ts';
import { connectVenue } from '../../src/bot/exchange/kit/connect.ts';
import type { Ending } from '../../src/bot/run/core/run.ts';
import { inheritedOptionsWithoutSession, startCheckOption } from '../../src/bot/run/core/venue.ts';
import { openState } from '../../src/bot/run/state/state.ts';
import type { Params } from '../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import type { World } from '../../src/bot/world/world.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { DEFAULTS, latencies, QUIET, START, tradeAt } from '../replay/virtual-run.ts';
import { killableProcess } from '../story/foreign/killable-process.ts';
import { MemoryDisk } from '../unit/journal/memory-disk.ts';
import { thirdClient } from './adapter/client.ts';
import { apiOf, PushHub } from './api.ts';
import { keyOf, ThirdExchange } from './exchange.ts';

export const ACCOUNT = 'bot';

/** Percentages of requests that are lost, lose their reply, or get it late. */
export interface NetworkFaults {
  readonly lost: number;
  readonly unanswered: number;
  readonly late: number;
  /** Percentages of pushed messages that cut the socket, or are delayed by some seconds. */
  readonly cut: number;
  readonly stall: number;
}

export const NO_FAULTS: NetworkFaults = { lost: 0, unanswered: 0, late: 0, cut: 0, stall: 0 };

export interface Finished {
  readonly ending: Ending;
  readonly summary: Summary;
}

export class ThirdStage {
  readonly clock = new VirtualClock(START);
  readonly exchange: ThirdExchange;
  readonly disk = new MemoryDisk();
  networkFaults: NetworkFaults = NO_FAULTS;
  /** Faults that occurred, and books pushed. */
  readonly counts = { lost: 0, unanswered: 0, late: 0, cuts: 0, stalls: 0, pushedBooks: 0 };
  readonly #seed: string;
  readonly #hub: PushHub;
  readonly #rng: Rng;
  #processes = 0;

  constructor(seed: string) {
    this.#seed = seed;
    this.#rng = rngFrom(seed).fork('weather');
    this.exchange = new ThirdExchange({ clock: this.clock, rng: rngFrom(seed) });
    this.exchange.open(ACCOUNT, 10_000);
    this.#hub = new PushHub(this.exchange);
  }

  pass(seconds: number): Promise<void> {
    return this.clock.drive(this.clock.now() + seconds * 1_000);
  }

  /** Starts a new process of the run on the state directory of the previous one. */
  async bot(params: Params, newestAccount?: string): Promise<{ world: World; alarms: string[]; kill(): void; stop(): Promise<Finished> }> {
    const { strategy } = await loadStrategy('grid');
    const { kill, clock, transport } = killableProcess({ clock: this.clock, transport: this.#line() });
    const self = { pid: ++this.#processes, started: '', boot: '' };
    const started = String(self.pid).padStart(3, '0');
    const state = openState(this.disk, { clock, started, processes: { self, alive: () => false } });
    const client = thirdClient({ transport, clock, dial: this.#dial(clock), key: keyOf(ACCOUNT) });
    const options = { clock, rng: rngFrom(`${this.#seed} ${started}`), polling: DEFAULTS.polling, markets: ['BTC-PERP'], log: QUIET };
    const own = {
      ...inheritedOptionsWithoutSession({ clock, state }),
      ...startCheckOption({ clock, state }, { exchange: 'third', url: 'http://127.0.0.1:1' }),
    };
    const venue = await driven(
      this.clock,
      connectVenue(client, { ...options, ...own, ...(newestAccount !== undefined && { newestAccount }) }),
    );
    const trading = tradeAt(venue, { clock, seed: this.#seed, strategy, params, state, exchange: 'third' });
    const alarms: string[] = [];
    trading.run.turns.subscribe((turn) => alarms.push(...turn.alarms.map(({ name }) => name)));
    return {
      world: trading.run.world,
      alarms,
      kill,
      stop: async () => {
        trading.run.stop('the test ends');
        const ending = await driven(this.clock, trading.run.done);
        await venue.gateway.close();
        return { ending, summary: trading.summary() };
      },
    };
  }

  #isDrawn(percent: number): boolean {
    return this.#rng.next() * 100 < percent;
  }

  #line(): Transport {
    const line = inProcessTransport({ handler: apiOf(this.exchange), clock: this.clock, latencyMs: latencies(this.#seed) });
    return {
      request: async (request: HttpRequest, limits) => {
        const { lost, unanswered, late } = this.networkFaults;
        if (this.#isDrawn(lost)) {
          this.counts.lost += 1;
          await this.#wait(limits.timeoutMs);
          throw new TransportError('noReply', 'the request was lost');
        }
        const reply = await line.request(request, limits);
        if (this.#isDrawn(unanswered)) {
          this.counts.unanswered += 1;
          await this.#wait(limits.timeoutMs);
          throw new TransportError('noReply', 'the reply was lost');
        }
        if (this.#isDrawn(late)) {
          this.counts.late += 1;
          await this.#wait(this.#rng.below(6_000));
        }
        return reply;
      },
      close: () => line.close(),
    };
  }

  #wait(span: number): Promise<void> {
    return new Promise((resolve) => this.clock.at(this.clock.now() + span, resolve));
  }

  /** Returns a socket with random delays that keep the order of messages. */
  #dial(clock: Clock): Dial {
    return ({ opened, message, closed }) => {
      let [isOpen, there, back] = [true, clock.now(), clock.now()];
      const after = (latest: number, run: () => void): number => {
        const at = Math.max(latest, clock.now() + 5 + this.#rng.below(20));
        clock.at(at, run);
        return at;
      };
      const cut = (): void => {
        if (!isOpen) return;
        isOpen = false;
        onClose();
        closed('the socket was cut');
      };
      const { onMessage, onClose } = this.#hub.subscribe((text) => {
        if (this.#isDrawn(this.networkFaults.stall)) {
          this.counts.stalls += 1;
          back += this.#rng.below(8_000);
        }
        const isCut = this.#isDrawn(this.networkFaults.cut);
        if (isCut) this.counts.cuts += 1;
        back = after(back, () => {
          if (!isOpen) return;
          if (isCut) return cut();
          this.counts.pushedBooks += 1;
          message(text);
        });
      });
      clock.at(clock.now() + 10, () => isOpen && opened());
      const socket: Socket = {
        send: (text) => {
          there = after(there, () => isOpen && onMessage(text));
        },
        close: cut,
      };
      return socket;
    };
  }
}
