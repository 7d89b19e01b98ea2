// Replies that differ from the exchange's state: other terms of its markets, an account that lacks a part, or a lie; and when each reply was made.
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { UpdateId } from '../../../../bot/domain/ids.ts';
import type { Receipt } from '../../../../venues/wire/codec.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import type { ExchangeRules, Options } from '../../plan/options.ts';
import { LiveTerms } from '../exchange/live-terms.ts';
import { Relisting } from '../exchange/relisting.ts';
import { Lies, type LiesOptions } from './lies.ts';
import { ShortAccounts } from './short-accounts.ts';

interface RepliesOptions extends Pick<LiesOptions, 'stranger'> {
  readonly clock: Clock;
  readonly start: Millis;
  readonly faults: FaultBox;
}

const isHostedAccount = ({ path }: HttpRequest): boolean => /^\/account\/\d+$/.test(path);

export class Replies {
  readonly #clock: Clock;
  readonly #start: Millis;
  readonly #relisting: Relisting;
  readonly #terms: LiveTerms;
  readonly #shortAccounts: ShortAccounts;
  readonly #lies: Lies;
  readonly #made = new WeakMap<Uint8Array, Millis>();
  /** Lists of markets with other terms than those of the embedded exchange. */
  readonly #ofOtherTerms = new WeakSet<Uint8Array>();

  constructor({ clock, start, faults, stranger }: RepliesOptions) {
    this.#clock = clock;
    this.#start = start;
    this.#relisting = new Relisting(faults);
    this.#terms = new LiveTerms(faults);
    this.#shortAccounts = new ShortAccounts(faults, () => clock.now() - start);
    this.#lies = new Lies({ faults, stranger });
  }

  /** True if no order is accepted. */
  get isClosed(): boolean {
    return this.#relisting.on;
  }

  get shift(): LiveTerms['shift'] {
    return this.#terms.shift;
  }

  sent(request: HttpRequest, process: number): void {
    this.#relisting.sent(request, process);
  }

  /** The reply by the present terms. */
  shown(request: HttpRequest, reply: HttpReply): HttpReply {
    this.#made.set(reply.body, this.#clock.now());
    const shown = this.#terms.shown(request, this.#relisting.shown(request, reply));
    if (shown.body !== reply.body) this.#ofOtherTerms.add(shown.body);
    return shown;
  }

  /** The reply as it leaves the exchange. */
  given(request: HttpRequest, reply: HttpReply): HttpReply {
    return this.#lies.shown(request, this.#shortAccounts.shown(request, reply));
  }

  /** A process receives the reply as the exchange gave it. */
  received(request: HttpRequest, { body }: HttpReply): void {
    const made = this.#made.get(body);
    if (made !== undefined && isHostedAccount(request)) this.#shortAccounts.received(made - this.#start);
  }

  /** The true number of an account in a reply, whatever a lie made of it. */
  numberOf(shown: UpdateId): number {
    return this.#lies.numberOf(shown);
  }

  isShort(reply: Pick<HttpReply, 'body'>): boolean {
    return this.#shortAccounts.isShort(reply);
  }

  /**
   * False for a short account, for a lie, which ends with its time, and for a list of other terms: a bot that received it after those terms had ended would
   * place wrong orders (docs/reliability.md).
   */
  mayBeCached(reply: Pick<HttpReply, 'body'>): boolean {
    return !this.isShort(reply) && !this.#lies.isLie(reply) && !this.#ofOtherTerms.has(reply.body);
  }

  /** When the reply was made, in the simulation's time; undefined for a body that the exchange did not make. */
  madeAt(body: Uint8Array): Millis | undefined {
    return this.#made.get(body);
  }
}

/** Returns the receipt as the simulated exchange shows it: it may report less than the embedded one, or name another session than the one opened. */
export function shownReceipt(
  receipt: Receipt,
  { options: { rules }, faults }: { readonly options: Pick<Options, 'rules'>; readonly faults: FaultBox },
): Receipt {
  if (receipt.kind === 'placeOrder') return reducedReceipt(receipt, rules);
  const isMisnamed = receipt.kind === 'createSession' && faults.on('session')?.detail === 'misnamed';
  return isMisnamed ? { ...receipt, sessionId: `77${receipt.sessionId}` } : receipt;
}

function reducedReceipt(
  receipt: Extract<Receipt, { kind: 'placeOrder' }>,
  { receipts }: Pick<ExchangeRules, 'receipts'>,
): Extract<Receipt, { kind: 'placeOrder' }> {
  if (receipts === 'full') return receipt;
  const { actionId, clientOrderId, posted, fills } = receipt;
  if (receipts === 'bare') return { kind: 'placeOrder', actionId, posted: undefined, fills: [], clientOrderId };
  return { kind: 'placeOrder', actionId, posted: posted && { ...posted, orderId: '0' }, fills, clientOrderId };
}
