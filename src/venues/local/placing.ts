// Places and cancels orders at the local process: the request, what its answer proves, and what becomes of an accepted order.
import { Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { ClientError, type ClientErrorKind } from '../../base/transport/client-error.ts';
import type { CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { AccountEvent } from '../../bot/domain/event.ts';
import { lots } from '../../bot/domain/numbers.ts';
import type { FillMode } from '../../bot/domain/order.ts';
import type { PlaceReceipt, VenueFault } from '../../bot/exchange/kit/venue-client.ts';
import { type LocalClient, type NewOrder } from '../client/local/client.ts';
import { AcceptedOrders } from '../shared/accepted-orders.ts';
import { tradeSideOf } from '../shared/convert.ts';
import { FlagVerifier } from '../shared/flag-verifier.ts';
import type { OrderEcho } from '../wire/json/local.ts';
import type { LocalListedMarket } from './listing.ts';
import { deadAfter, LISTING_LAG } from './rules.ts';

/** Maximum length of a refusal's text; the log has the full text. */
const MAX_REASON = 120;
const REQUEST_TIMEOUT = 408;

/** The flag that requests a fill mode, if there is one. */
const FLAGS: Readonly<Partial<Record<FillMode, 'postOnly' | 'ioc'>>> = { POST_ONLY: 'postOnly', IMMEDIATE_OR_CANCEL: 'ioc' };

/** When an order can no longer come about, and how late the lists may show that it has. */
const TIMES = { listingLagMs: LISTING_LAG, deadAfter };

export class LocalOrders {
  /** What became of accepted orders. */
  readonly events = new Subject<AccountEvent>();
  /** Flags that the process ignored. */
  readonly faults = new Subject<VenueFault>();
  readonly #options: { readonly client: LocalClient; readonly clock: Clock };
  readonly #flags = new FlagVerifier({ ...TIMES, errorFor: flagIgnored });
  readonly #pending = new AcceptedOrders({ ...TIMES, who: 'the process', emit: (event) => this.events.next(event) });

  constructor(options: { readonly client: LocalClient; readonly clock: Clock }) {
    this.#options = options;
  }

  async place(order: PlaceOrder, listed: LocalListedMarket): Promise<PlaceReceipt | 'accepted'> {
    const { client, clock } = this.#options;
    this.#pending.sent(order, clock.now());
    this.#flags.sent(order, clock.now());
    const echo = await client.place(newOrderOf(order, listed)).catch(rethrowProof('place'));
    this.#flags.answered(order, clock.now());
    const flag = FLAGS[order.fillMode];
    if (flag !== undefined && echo[flag] === false) this.#fail(flagIgnored(order.fillMode, `answered ${flag}: false`)); // later events show a missing one
    const closed = closedReceipt(order, echo, listed);
    if (closed === undefined) this.#pending.accepted(order.clientOrderId, clock.now());
    return closed ?? 'accepted';
  }

  async cancel({ orderId }: CancelOrder): Promise<'queued'> {
    await this.#options.client.cancel(orderId).catch(rethrowProof('cancel'));
    return 'queued';
  }

  observe(event: AccountEvent): void {
    this.#pending.observe(event);
    this.#fail(this.#flags.observe(event));
  }

  #fail(error: UserError | undefined): void {
    if (error !== undefined) this.faults.next({ error, ours: (account) => this.#flags.ours(account) });
  }
}

/** Converts an order to the request body of the process. */
function newOrderOf({ clientOrderId, side, price, size, fillMode, reduceOnly }: PlaceOrder, { name, market }: LocalListedMarket): NewOrder {
  const flag = FLAGS[fillMode];
  return {
    market: name,
    side: tradeSideOf(side),
    price: market.price(price),
    type: 'limit',
    size: market.size(size),
    clientId: clientOrderId,
    ...(flag !== undefined && { [flag]: true }),
    ...(reduceOnly === true && { reduceOnly }),
  };
}

/** Returns the receipt of an order that is already closed, if the answer has its filled size. Polls show what became of all other orders. */
function closedReceipt({ price }: PlaceOrder, { status, filledSize }: OrderEcho, { market }: LocalListedMarket): PlaceReceipt | undefined {
  const filled = filledSize === undefined ? undefined : market.lotsOf(filledSize);
  if (status !== 'closed' || filled === undefined) return undefined;
  return { taken: filled === 0 ? [] : [{ price, size: filled }], resting: lots(0) };
}

function flagIgnored(fillMode: FillMode, did: string): UserError {
  const flag = FLAGS[fillMode];
  return new UserError({
    code: 'ignored-flag',
    message: `POST /orders: ${flag} was requested, but the process ${did}: its order is not the approved one`,
    hint: `some versions of the process ignore a JSON boolean for ${flag} and accept only the text "true": try --set local.flagsAs=text; if that is ignored too, orders that need ${flag} cannot be traded here`,
  });
}

/** Rethrows a ClientError with the kind that says what it proves of an action. */
const rethrowProof =
  (kind: 'place' | 'cancel') =>
  (thrown: unknown): never => {
    if (!(thrown instanceof ClientError)) throw thrown;
    const words = thrown.reason ?? thrown.message;
    const reason = words.length <= MAX_REASON ? words : `${words.slice(0, MAX_REASON - 1)}…`;
    throw new ClientError({ kind: proofOf(thrown, kind), message: reason, reason });
  };

/**
 * Returns what an error of the local process proves. `refused`: it refused before signing, in its envelope or by a status of 4xx except 408. After a
 * failure of its own (5xx) the order may have been sent.
 */
function proofOf({ kind, status = 0 }: ClientError, action: 'place' | 'cancel'): ClientErrorKind {
  if (kind === 'notSent' || (kind === 'notFound' && action === 'cancel')) return kind;
  const isRefusal = kind === 'refused' || ((kind === 'http' || kind === 'notFound') && status >= 400);
  return isRefusal && status < 500 && status !== REQUEST_TIMEOUT ? 'refused' : 'noReply';
}
