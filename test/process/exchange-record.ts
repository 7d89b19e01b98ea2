// The exchange's own record of an account, read directly, and the actions that passed through the proxy.

import { ClientError } from '../../src/base/transport/client-error.ts';
import { splitSigned } from '../../src/base/wire/framing.ts';
import type { HostedClient } from '../../src/venues/client/hosted.ts';
import { ActionCodec } from '../../src/venues/wire/codec.ts';
import type { ListedTrade } from '../../src/venues/wire/json/hosted.ts';
import type { AccountReply } from '../../src/venues/wire/json/hosted-account.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import type { Passed } from './proxy.ts';

export interface ExchangeRecord {
  readonly account: AccountReply;
  /** Trades of the account, as maker and as taker. */
  readonly trades: readonly ListedTrade[];
  /** The exact sum of the traded sizes, bought minus sold, in base units. */
  readonly traded: string;
  /** Paid, in quote tokens. */
  readonly fees: number;
  /** Filled size of each resting order by order id, in base units. Fills as taker are not counted. */
  readonly filled: ReadonlyMap<string, number>;
}

/** Reads the record of an account. Must be called repeatedly, because the exchange keeps only the trades of the last hours. */
export class Auditor {
  readonly #client: HostedClient;
  readonly #user: string;
  readonly #trades = new Map<string, ListedTrade>();

  /** `user`: the public key in Base58. */
  constructor(client: HostedClient, user: string) {
    this.#client = client;
    this.#user = user;
  }

  /** Returns undefined if the user has no account yet. */
  async look(): Promise<ExchangeRecord | undefined> {
    const accountId = await this.#accountId();
    if (accountId === undefined) return undefined;
    const account = await this.#client.account(accountId);
    const until = (await this.#client.timestamp()) * 1_000 + 86_400_000;
    for (const role of ['makerId', 'takerId'] as const) {
      for await (const { items } of this.#client.trades({ [role]: accountId, until })) {
        for (const trade of items) this.#trades.set(trade.tradeId, trade);
      }
    }
    const trades = [...this.#trades.values()];
    return { account, trades, traded: tradedBy(trades, accountId), fees: feesOf(trades, accountId), filled: filledIn(trades, accountId) };
  }

  async #accountId(): Promise<number | undefined> {
    try {
      return (await this.#client.user(this.#user)).accountIds[0];
    } catch (error) {
      if (error instanceof ClientError && error.kind === 'notFound') return undefined;
      throw error;
    }
  }
}

function filledIn(trades: readonly ListedTrade[], accountId: number): ReadonlyMap<string, number> {
  const filled = new Map<string, number>();
  for (const { makerId, orderId, baseSize } of trades) {
    if (makerId === accountId) filled.set(orderId, (filled.get(orderId) ?? 0) + baseSize);
  }
  return filled;
}

/** Sizes are decimals of at most eight places. */
const SCALE = 1e8;

function tradedBy(trades: readonly ListedTrade[], accountId: number): string {
  let position = 0;
  for (const { takerId, takerSide, baseSize } of trades) {
    const bought = (takerSide === 'bid') === (takerId === accountId);
    position += (bought ? 1 : -1) * Math.round(baseSize * SCALE);
  }
  return String(position / SCALE);
}

const feesOf = (trades: readonly ListedTrade[], accountId: number): number =>
  trades.reduce((sum, { takerId, takerFee = 0, makerFee = 0 }) => sum + (takerId === accountId ? takerFee : makerFee), 0);

/** A POST that reached the exchange, and its outcome. */
export interface Action {
  readonly kind: string;
  /** Undefined if the action has none. Copies of one request have the same id. */
  readonly clientOrderId: string | undefined;
  readonly body: string;
  /** The kind of the receipt, or the name of the error. */
  readonly outcome: string;
  /** Lots of a placement: its size, and the part that was filled at once. */
  readonly size: number;
  readonly taken: number;
  /** The order that rests after it. */
  readonly orderId: string | undefined;
}

export function actionsIn(passed: readonly Passed[]): readonly Action[] {
  const codec = new ActionCodec(bundledSchema());
  return passed.map(({ body, reply }) => {
    const { framed } = splitSigned(body);
    const action = codec.decode(framed);
    const receipt = codec.decodeReceipt(reply);
    const placed = receipt.kind === 'placeOrder' ? receipt : undefined;
    return {
      kind: action.kind,
      clientOrderId: action.kind === 'placeOrder' ? action.clientOrderId : undefined,
      body: Buffer.from(framed).toString('hex'),
      outcome: receipt.kind === 'err' ? receipt.error : receipt.kind,
      size: action.kind === 'placeOrder' ? Number(action.size) : 0,
      taken: placed?.fills.reduce((sum, { size }) => sum + Number(size), 0) ?? 0,
      orderId: placed?.posted?.orderId,
    };
  });
}
