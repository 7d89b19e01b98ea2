// Places and cancels orders at the local process: the request, what its answer proves, and what becomes of an accepted order.
import { Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { UserError } from '../../base/errors.ts';
import { ClientError, type ClientErrorKind } from '../../base/transport/client-error.ts';
import type { CancelOrder, PlaceOrder } from '../../bot/domain/action.ts';
import type { AccountEvent } from '../../bot/domain/event.ts';
import { lots } from '../../bot/domain/numbers.ts';
import type { PlaceReceipt, VenueFault } from '../../bot/exchange/kit/venue-client.ts';
import { type LocalClient, type NewOrder } from '../client/local/client.ts';
import { AcceptedOrders } from '../shared/accepted-orders.ts';
import type { OrderEcho } from '../wire/json/local.ts';
import { FLAGS, FlagVerifier } from './flag-verifier.ts';
import type { LocalListedMarket } from './listing.ts';
import { deadAfter, LISTING_LAG } from './rules.ts';
import { tradeSideOf } from './snapshots.ts';

/** Maximum length of a refusal's text; the log has the full text. */
const MAX_REASON = 120;
const REQUEST_TIMEOUT = 408;

export class LocalOrders {
  /** What became of accepted orders. */
  readonly events = new Subject<AccountEvent>();
  /** Flags that the process ignored. */
  readonly faults = new Subject<VenueFault>();
  readonly #options: { readonly client: LocalClient; readonly clock: Clock };
  readonly #flags = new FlagVerifier();
  readonly #pending = new AcceptedOrders({
    who: 'the process',
    listingLagMs: LISTING_LAG,
    deadAfter,
    emit: (event) => this.events.next(event),
  });

  constructor(options: { readonly client: LocalClient; readonly clock: Clock }) {
    this.#options = options;
  }

  async place(order: PlaceOrder, listed: LocalListedMarket): Promise<PlaceReceipt | 'accepted'> {
    const { client, clock } = this.#options;
    this.#pending.sent(order, clock.now());
    this.#flags.sent(order, clock.now());
    const echo = await client.place(newOrderOf(order, listed)).catch(rethrowProof('place'));
    const mismatch = echoMismatch(order, echo, listed);
    if (mismatch !== undefined) {
      client.reset(mismatch);
      throw new ClientError({ kind: 'noReply', message: mismatch });
    }
    this.#fail(this.#flags.answered(order, echo, clock.now()));
    const closed = closedReceipt(order, echo, listed);
    if (closed === undefined) this.#pending.accepted(order.clientOrderId, clock.now());
    return closed ?? 'accepted';
  }

  async cancel({ orderId }: CancelOrder): Promise<'queued'> {
    await this.#options.client.cancel(orderId).catch(rethrowProof('cancel'));
    return 'queued';
  }

  observe(event: AccountEvent): void {
    if (event.kind === 'orderRejected') this.#flags.refused(event.clientOrderId);
    this.#pending.observe(event);
    this.#fail(this.#flags.seen(event));
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

/** Returns why the echo belongs to another order; undefined if no field contradicts. */
function echoMismatch(
  { clientOrderId, side, price, size }: PlaceOrder,
  echo: OrderEcho,
  { name, market }: LocalListedMarket,
): string | undefined {
  const differs =
    (echo.clientId !== undefined && echo.clientId !== clientOrderId) ||
    (echo.market !== undefined && echo.market !== name) ||
    (echo.side !== undefined && echo.side !== tradeSideOf(side)) ||
    (echo.price !== undefined && market.ticksOf(echo.price) !== price) ||
    (echo.size !== undefined && market.lotsOf(echo.size) !== size);
  if (!differs) return undefined;
  const what = [echo.side, echo.size, echo.market, echo.price, echo.clientId].filter((value) => value !== undefined).join(' ');
  return `the answer belongs to another order (${what})`;
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
