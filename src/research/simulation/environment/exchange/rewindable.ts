// The embedded exchange with a record of the calls of its hosted API, so that an earlier state of it can be restored.

import type { Millis } from '../../../../base/clock.ts';
import { assert } from '../../../../base/errors.ts';
import type { AccountId, ActionId, MarketId } from '../../../../bot/domain/ids.ts';
import type { FeeRates } from '../../../../bot/domain/market.ts';
import type { Micros, Ticks } from '../../../../bot/domain/numbers.ts';
import type { CancelOutcome, CancelRequest, PlaceOutcome, PlaceRequest } from '../../../../embedded/exchange/commands.ts';
import type { Compound } from '../../../../embedded/exchange/compound.ts';
import { Exchange, type ExchangeOptions } from '../../../../embedded/exchange/exchange.ts';

interface Call {
  readonly at: Millis;
  /** The end of an advance, which a rollback may cut short; absent for other calls. */
  until?: Millis;
  readonly repeat?: (exchange: Exchange) => void;
  /** The last action before the call. */
  readonly before?: ActionId;
}

/** Its state depends only on its calls and its seed: the same calls give the same state. */
export class Rewindable extends Exchange {
  readonly #options: ExchangeOptions;
  readonly #calls: Call[] = [];

  constructor(options: ExchangeOptions) {
    super(options);
    this.#options = options;
  }

  /** A new exchange in the state that this one had at that time; later calls of this one are lost. */
  asOf(when: Millis): Rewindable {
    const other = new Rewindable(this.#options);
    for (const { at, until, repeat, before } of this.#calls) {
      if (at > when) break;
      assert(
        before === undefined || before === other.lastActionId(),
        `action ${before} was not recorded: the exchange cannot be rolled back`,
      );
      if (until !== undefined) other.advanceTo(Math.min(until, when));
      repeat?.(other);
    }
    return other;
  }

  override advanceTo(when: Millis): void {
    const last = this.#calls.at(-1);
    if (last?.until === undefined) this.#calls.push({ at: this.now(), until: when });
    else last.until = when;
    super.advanceTo(when);
  }

  override countAction(): void {
    this.#record((other) => other.countAction());
    super.countAction();
  }

  override register(user: string, deposit: Micros): AccountId {
    this.#record((other) => void other.register(user, deposit));
    return super.register(user, deposit);
  }

  override place(request: PlaceRequest): PlaceOutcome {
    this.#record((other) => void other.place(request));
    return super.place(request);
  }

  override get compound(): Compound {
    const own = super.compound;
    const record = (repeat: (compound: Compound) => void): void => this.#record((other) => repeat(other.compound));
    return {
      placeWithin: (request) => {
        record((compound) => void compound.placeWithin(request));
        return own.placeWithin(request);
      },
      atomic: (request) => {
        record((compound) => void compound.atomic(request));
        return own.atomic(request);
      },
      transfer: (request) => {
        record((compound) => void compound.transfer(request));
        return own.transfer(request);
      },
      transferRefusal: (request) => own.transferRefusal(request),
    };
  }

  override cancel(request: CancelRequest): CancelOutcome {
    this.#record((other) => void other.cancel(request));
    return super.cancel(request);
  }

  override freeze(market: MarketId, frozen: boolean): void {
    this.#record((other) => other.freeze(market, frozen));
    super.freeze(market, frozen);
  }

  override setIndex(market: MarketId, price: Ticks | undefined): void {
    this.#record((other) => other.setIndex(market, price));
    super.setIndex(market, price);
  }

  override setFees(fees: FeeRates): void {
    this.#record((other) => other.setFees(fees));
    super.setFees(fees);
  }

  #record(repeat: (exchange: Exchange) => void): void {
    this.#calls.push({ at: this.now(), repeat, before: this.lastActionId() });
  }
}
