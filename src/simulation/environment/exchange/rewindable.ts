// The embedded exchange with a record of all calls, so that its state of some seconds ago can be restored.
import { assert } from '../../../base/assert.ts';
import type { Millis } from '../../../base/clock.ts';
import type { AccountId, ActionId, MarketId } from '../../../domain/ids.ts';
import type { Micros, Ticks } from '../../../domain/numbers.ts';
import type { CancelOutcome, CancelRequest, PlaceOutcome, PlaceRequest } from '../../../embedded/commands.ts';
import type { Compound } from '../../../embedded/compound.ts';
import { Exchange, type ExchangeOptions } from '../../../embedded/exchange.ts';
import type { FeeRates } from '../../../embedded/rules/fees.ts';

interface Asked {
  readonly at: Millis;
  /** For an advance, which may be cut short; other calls are replayed whole. */
  until?: Millis;
  readonly again?: (exchange: Exchange) => void;
  /** The last action before the call. */
  readonly before?: ActionId;
}

/** Its state depends only on its calls and its seed: the same calls give the same state. */
export class Rewindable extends Exchange {
  readonly #options: ExchangeOptions;
  readonly #asked: Asked[] = [];

  constructor(options: ExchangeOptions) {
    super(options);
    this.#options = options;
  }

  /** A new exchange in the state that this one had at that time; later calls of this one are lost. */
  asOf(when: Millis): Rewindable {
    const other = new Rewindable(this.#options);
    for (const { at, until, again, before } of this.#asked) {
      if (at > when) break;
      assert(
        before === undefined || before === other.lastActionId(),
        `action ${before} was not recorded: the exchange cannot be rolled back`,
      );
      if (until !== undefined) other.advanceTo(Math.min(until, when));
      again?.(other);
    }
    return other;
  }

  override advanceTo(when: Millis): void {
    const last = this.#asked.at(-1);
    if (last?.until === undefined) this.#asked.push({ at: this.now(), until: when });
    else last.until = when;
    super.advanceTo(when);
  }

  override countAction(): ActionId {
    this.#note((other) => void other.countAction());
    return super.countAction();
  }

  override register(user: string, deposit: Micros): AccountId {
    this.#note((other) => void other.register(user, deposit));
    return super.register(user, deposit);
  }

  override place(request: PlaceRequest): PlaceOutcome {
    this.#note((other) => void other.place(request));
    return super.place(request);
  }

  override get compound(): Compound {
    const own = super.compound;
    const note = (again: (compound: Compound) => void): void => this.#note((other) => again(other.compound));
    return {
      placeWithin: (request) => {
        note((compound) => void compound.placeWithin(request));
        return own.placeWithin(request);
      },
      atomic: (request) => {
        note((compound) => void compound.atomic(request));
        return own.atomic(request);
      },
      transfer: (request) => {
        note((compound) => void compound.transfer(request));
        return own.transfer(request);
      },
      transferRefusal: (request) => own.transferRefusal(request),
    };
  }

  override cancel(request: CancelRequest): CancelOutcome {
    this.#note((other) => void other.cancel(request));
    return super.cancel(request);
  }

  override freeze(market: MarketId, frozen: boolean): void {
    this.#note((other) => other.freeze(market, frozen));
    super.freeze(market, frozen);
  }

  override setIndex(market: MarketId, price: Ticks | undefined): void {
    this.#note((other) => other.setIndex(market, price));
    super.setIndex(market, price);
  }

  override setFees(fees: FeeRates): void {
    this.#note((other) => other.setFees(fees));
    super.setFees(fees);
  }

  #note(again: (exchange: Exchange) => void): void {
    this.#asked.push({ at: this.now(), again, before: this.lastActionId() });
  }
}
