// An exchange that changes the decimals of its markets and continues to trade: an order signed by the old decimals means another order.
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import { ActionCodec, type Receipt, type WireAction } from '../../../../venues/wire/codec.ts';
import type { ActionSchema } from '../../../../venues/wire/schema/schema.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import type { InjectedFault } from '../../plan/faults.ts';
import { changedListing } from './relisting.ts';

/** The powers of ten by which numbers on the wire differ from those of the embedded exchange. */
interface Shift {
  readonly price: number;
  readonly size: number;
}

const NO_SHIFT: Shift = { price: 0, size: 0 };
const LISTING = '/info';

export class LiveTerms {
  readonly #faults: FaultBox;

  constructor(faults: FaultBox) {
    this.#faults = faults;
  }

  /** The fault that is active now. */
  get current(): InjectedFault | undefined {
    return this.#faults.on('decimals');
  }

  get shift(): Shift {
    const { amount = 0, detail } = this.current ?? {};
    if (amount === 0) return NO_SHIFT;
    return detail === 'sizeDecimals' ? { price: 0, size: amount } : { price: amount, size: 0 };
  }

  /** What is shown instead of this reply. */
  shown(request: HttpRequest, reply: HttpReply): HttpReply {
    const fault = request.path === LISTING && reply.status === 200 ? this.#faults.hit('decimals') : undefined;
    return fault === undefined
      ? reply
      : { ...reply, body: changedListing(reply.body, fault.detail ?? 'sizeDecimals', (value) => value + (fault.amount ?? 0)) };
  }
}

/**
 * Reads and writes signed numbers by the present decimals. The exchange keeps the old ones: a size or price between two of its steps is truncated.
 */
export class ShiftedCodec extends ActionCodec {
  readonly #shift: () => Shift;

  constructor(schema: ActionSchema, shift: () => Shift) {
    super(schema);
    this.#shift = shift;
  }

  override decode(framed: Uint8Array): WireAction {
    const action = super.decode(framed);
    const { price, size } = this.#shift();
    if (action.kind !== 'placeOrder' || (price === 0 && size === 0)) return action;
    return { ...action, price: scaled(action.price, -price), size: scaled(action.size, -size) };
  }

  override encodeReceipt(receipt: Receipt): Uint8Array {
    const { price, size } = this.#shift();
    if (receipt.kind !== 'placeOrder' || (price === 0 && size === 0)) return super.encodeReceipt(receipt);
    const { posted, fills } = receipt;
    const shown = <T extends { readonly price: bigint; readonly size: bigint }>(part: T): T => ({
      ...part,
      price: scaled(part.price, price),
      size: scaled(part.size, size),
    });
    return super.encodeReceipt({ ...receipt, posted: posted && shown(posted), fills: fills.map(shown) });
  }
}

const scaled = (value: bigint, power: number): bigint => (power >= 0 ? value * 10n ** BigInt(power) : value / 10n ** BigInt(-power));
