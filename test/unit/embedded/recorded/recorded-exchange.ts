// An exchange that plays a recorded market whose rows a test writes as lines of text.
import type { AccountId } from '../../../../src/bot/domain/ids.ts';
import { Exchange, type ExchangeOptions } from '../../../../src/embedded/exchange/exchange.ts';
import { type Recording, RowFeed } from '../../../../src/embedded/exchange/recorded/recording.ts';
import type { ListedMarket, ListedToken } from '../../../../src/embedded/exchange/state/listing.ts';
import { RowBuilder } from '../../../../src/embedded/rows/row-builder.ts';
import { codeOf, FUNDING_PARTS, type RowKind, type Rows, STAMPS_PER_MILLI } from '../../../../src/embedded/rows/rows.ts';
import { HOUR, QuietExchange, START } from '../quiet-exchange.ts';

export const TETHER: ListedToken = { tokenId: 0, symbol: 'USDT', decimals: 6, mintAddr: '', weightBps: 10_000 };
const MARGINS = { imf: 0.05, cmf: 0.0375, mmf: 0.025 };
/** Prices in tenths, sizes in thousandths. */
const perpetual = (id: number, symbol: string): ListedMarket => ({
  spec: { ...MARGINS, id, symbol, kind: 'perp', baseTokenId: id + 1, quoteTokenId: 0, priceDecimals: 1, sizeDecimals: 3 },
  basePrice: 1_000,
});
export const BTC = perpetual(0, 'BTCUSDT');
export const ETH = perpetual(1, 'ETHUSDT');

/** `bid 999.5@2`: a level; `sell 999.5@1`: a trade by its taker; `mark 1000`; `funding 0.0001 in 500`; `settled 0.0001`; `clear`; `gap`. */
const LINE =
  /^(?:(?<level>bid|ask) (?<at>[\d.]+)@(?<size>[\d.]+)|(?<taker>buy|sell) (?<trade>[\d.]+)@(?<traded>[\d.]+)|(?<price>mark|index) (?<reported>[\d.]+)|funding (?<rate>\S+) in (?<in>-?\d+)|settled (?<paid>\S+)|(?<bare>clear|gap))$/;

interface Written {
  readonly kind: RowKind;
  readonly side?: 'bid' | 'ask';
  readonly price: number;
  readonly size: number;
}

const ticksOf = (text: string | undefined): number => Math.round(Number(text) * 10);
const lotsOf = (text: string | undefined): number => Math.round(Number(text) * 1_000);

function written(line: string): Written {
  const groups = LINE.exec(line)?.groups;
  if (groups === undefined) throw new Error(`"${line}" is not a row`);
  const { level, taker, price, rate, paid, bare } = groups;
  if (level !== undefined) return { kind: 'level', side: level as 'bid', price: ticksOf(groups['at']), size: lotsOf(groups['size']) };
  if (taker !== undefined)
    return { kind: 'trade', side: taker === 'buy' ? 'bid' : 'ask', price: ticksOf(groups['trade']), size: lotsOf(groups['traded']) };
  if (price !== undefined) return { kind: price as 'mark', price: ticksOf(groups['reported']), size: 0 };
  if (rate !== undefined) return { kind: 'funding', price: Number(groups['in']), size: Math.round(Number(rate) * FUNDING_PARTS) };
  if (paid !== undefined) return { kind: 'settlement', price: 0, size: Math.round(Number(paid) * FUNDING_PARTS) };
  return { kind: bare as 'gap', price: 0, size: 0 };
}

/** Rows with one time: `after` milliseconds (may be fractional) after the start. The last book row completes its batch. */
export function rowsOf(after: number, ...lines: readonly string[]): Rows {
  const builder = new RowBuilder();
  const rows = lines.map(written);
  const last = rows.findLastIndex(({ kind }) => kind === 'level');
  for (const [index, { kind, price, size, ...side }] of rows.entries())
    builder.add({
      time: Math.round((START + after) * STAMPS_PER_MILLI),
      lag: 0,
      code: codeOf(kind, { ...side, last: index === last }),
      price,
      size,
    });
  return builder.take();
}

/** A book with three levels on each side. */
export const BOOK = ['clear', 'bid 999.5@1', 'bid 999@2', 'bid 998@5', 'ask 1000.5@1', 'ask 1001@2', 'ask 1002@5'] as const;

interface RecordedExchangeOptions extends Partial<ExchangeOptions> {
  readonly recording?: Partial<Recording>;
}

/** An exchange with a recorded BTCUSDT, which begins with `BOOK` at a full hour. */
export class RecordedExchange extends QuietExchange {
  readonly rows: RowFeed;
  readonly #names = new Map<AccountId, string>();

  constructor({ recording = {}, ...options }: RecordedExchangeOptions = {}) {
    const rows = new RowFeed();
    const btc: Recording = { rows, queue: { kind: 'conservative' }, ...recording };
    const listed = { markets: [BTC], tokens: [TETHER], recordings: [btc] };
    super(new Exchange({ seed: 'scene', start: START, ...listed, ...options }));
    this.rows = rows;
    this.add(0, ...BOOK);
  }

  override user(name: string, units: number): AccountId {
    const account = super.user(name, units);
    this.#names.set(account, name);
    return account;
  }

  add(after: number, ...lines: readonly string[]): void {
    this.rows.push(rowsOf(after, ...lines));
  }

  /** Plays all rows, and moves to `after`. */
  play(after: number): void {
    if (!this.rows.covers((START + after) * STAMPS_PER_MILLI)) this.rows.end();
    this.exchange.advanceTo(START + after);
  }

  /** The public trades, oldest first, taker before maker: `buy 1000.5@1 others>alice`. */
  trades(): readonly string[] {
    const market = this.market('BTCUSDT');
    const name = (account: number): string => this.#names.get(account) ?? 'others';
    return this.exchange
      .trades({ marketId: 0 })
      .items.map(
        ({ takerSide, price, size, takerId, makerId }) =>
          `${takerSide === 'bid' ? 'buy' : 'sell'} ${market.price(price)}@${market.size(size)} ${name(takerId)}>${name(makerId)}`,
      )
      .reverse();
  }
}

export { HOUR, START };
