// The bot of the turn bench: an engine that has seen everything but the book, and the signed bytes that it sends for a book.
import { rngFrom } from '../src/base/rng.ts';
import { newSecretKey, signerFrom } from '../src/base/wire/ed25519.ts';
import type { Action } from '../src/bot/domain/action.ts';
import type { Event } from '../src/bot/domain/event.ts';
import type { Market } from '../src/bot/domain/market.ts';
import type { Engine } from '../src/bot/engine/engine.ts';
import type { RiskRules } from '../src/bot/risk/guard.ts';
import { assemble } from '../src/bot/run/core/assemble.ts';
import { NO_HISTORY } from '../src/bot/run/state/history.ts';
import type { Params, Strategy } from '../src/bot/strategy/contract.ts';
import { deciderOf } from '../src/bot/strategy/decide.ts';
import type { HostedClient } from '../src/venues/client/hosted.ts';
import { bookOf } from '../src/venues/hosted/snapshots.ts';
import { ActionCodec } from '../src/venues/wire/codec.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { seal, wireActionOf } from '../src/venues/wire/sign-action.ts';

const codec = new ActionCodec(bundledSchema());
const signer = signerFrom(newSecretKey());
let nonce = 1;

export interface BotOptions {
  readonly market: Market;
  readonly strategy: Strategy<Params>;
  /** Replaces defaults of the strategy. */
  readonly params: Params;
  readonly rules: RiskRules;
  /** The events before the first book, oldest first. */
  readonly circumstances: readonly Event[];
}

export class Bot {
  readonly #market: Market;
  readonly #engine: Engine;
  #now = 0;

  constructor({ market, strategy, params, rules, circumstances }: BotOptions) {
    this.#market = market;
    const markets = [market];
    const decide = deciderOf(strategy, { ...strategy.defaults, ...params }, { rng: rngFrom('bench'), markets });
    this.#engine = assemble({ markets, history: NO_HISTORY, startedAt: 0, decide, rules }).engine;
    for (const event of circumstances) this.#step(event);
  }

  /** Requests the book, decides, and returns the encoded and signed actions. */
  async answer(client: HostedClient): Promise<readonly Uint8Array[]> {
    return (await this.see(client)).map((action) => seal(wireActionOf(action, this.#terms()), { codec, signer }));
  }

  async see(client: HostedClient): Promise<readonly Action[]> {
    const book = bookOf(this.#market, await client.orderbook(this.#market.id));
    return this.#step({ kind: 'bookSeen', at: this.#now, asked: this.#now, book });
  }

  /** Reports each placed order as resting, and advances the clock by 250 ms. */
  rest(actions: readonly Action[]): void {
    for (const action of actions) {
      if (action.kind !== 'place') continue;
      const { clientOrderId, size: resting } = action;
      this.#step({ kind: 'orderOpened', at: this.#now, clientOrderId, actionId: '1', orderId: clientOrderId, taken: [], resting });
    }
    this.#now += 250;
  }

  #step(event: Event): readonly Action[] {
    this.#now = event.at;
    return this.#engine.step(event).actions;
  }

  #terms() {
    return { timestamp: Math.floor(this.#now / 1_000), nonce: nonce++, sessionId: '1', sender: 0, extras: codec.extras };
  }
}
