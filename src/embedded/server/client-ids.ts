// Maps client ids that may be any text, as in the local API and at Hyperliquid, to the exchange's client order ids, which are numbers of 64 bits.
import { createHash } from 'node:crypto';
import type { ClientOrderId } from '../../bot/domain/ids.ts';

const U64 = 2n ** 64n;
const REMEMBERED = 10_000;

/**
 * The decimal text of a u64 is used as that number, so that all APIs show the same id. Any other text becomes the first eight bytes of its SHA-256.
 * The texts of the newest ten thousand ids are remembered; for older ones the number is shown.
 */
export class ClientIds {
  readonly #texts = new Map<ClientOrderId, string>();

  numberOf(text: string): ClientOrderId {
    return isU64(text) ? text : createHash('sha256').update(text).digest().readBigUInt64BE().toString();
  }

  /** Returns the number for a new order, and remembers the text. */
  registeredNumberOf(text: string): ClientOrderId {
    const id = this.numberOf(text);
    this.#texts.delete(id); // so that it counts as the newest
    this.#texts.set(id, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > REMEMBERED && oldest !== undefined) this.#texts.delete(oldest);
    return id;
  }

  textOf(id: ClientOrderId): string {
    return this.#texts.get(id) ?? id;
  }
}

const isU64 = (text: string): boolean => /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) < U64;
