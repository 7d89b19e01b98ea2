// The compound commands of the exchange: orders limited by quote money, atomic actions, transfers.
import type {
  AtomicOutcome,
  AtomicRequest,
  LimitedOrder,
  LimitedOutcome,
  PlaceRequest,
  Refusal,
  TransferOutcome,
  TransferRequest,
} from './commands.ts';
import { atomic } from './rules/atomic.ts';
import { placeWithin } from './rules/placing.ts';
import { transfer, transferRefusal } from './rules/transfer.ts';
import type { ExchangeState } from './state/exchange-state.ts';

export type Compound = Pick<CompoundCommands, keyof CompoundCommands>;

export class CompoundCommands {
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
  }

  /** Places an order whose size follows from its limits. */
  placeWithin(request: LimitedOrder & Pick<PlaceRequest, 'account'>): LimitedOutcome {
    return placeWithin(this.#state, request);
  }

  /** Executes cancels and orders as one action with one id, all of them or none. */
  atomic(request: AtomicRequest): AtomicOutcome {
    return atomic(this.#state, request);
  }

  transfer(request: TransferRequest): TransferOutcome {
    return transfer(this.#state, request);
  }

  /** Returns why an account may not transfer an amount; undefined if it may. */
  transferRefusal(request: Omit<TransferRequest, 'to'>): Refusal | undefined {
    return transferRefusal(this.#state, request);
  }
}
