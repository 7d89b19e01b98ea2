// Checks each column of a candle file as a whole: finds values that are possible in one row, but wrong if all rows have them.
import { Malformed } from '../fields.ts';
import { type ColumnRole, type Columns, keyOf } from './columns.ts';
import type { ParsedRow } from './row-parser.ts';

/** With fewer rows, equal values may be chance. */
const FEWEST = 5;
const PRICES: readonly ColumnRole[] = ['open', 'high', 'low', 'close'];
/** Relative tolerance for `volume in quote money = price × volume in tokens`: the exchange uses each trade's price, the check the close. */
const TOLERANCE = 0.02;

interface Sums {
  /** The sum of the values. */
  plain: number;
  /** The sum of value × close. */
  priced: number;
}

export class ColumnChecks {
  readonly #columns: Columns;
  readonly #assumed: boolean;
  readonly #roles: readonly ColumnRole[];
  readonly #first = new Map<ColumnRole, string>();
  readonly #varying = new Set<ColumnRole>();
  /** By the index of each column of traded amounts, in tokens or in money. */
  readonly #sums: ReadonlyMap<number, Sums>;
  #rows = 0;
  #isMoving = false;

  /** `assumed`: the volume is an amount that the user gave, not a column. */
  constructor(columns: Columns, { assumed }: { readonly assumed: boolean }) {
    this.#columns = columns;
    this.#assumed = assumed;
    this.#roles = columns.holds === 'funding' ? ['rate'] : assumed ? PRICES : [...PRICES, 'volume'];
    const amounts = columns.names.flatMap((name, index) => (isAmountColumn(name) ? [index] : []));
    this.#sums = new Map(amounts.map((index): [number, Sums] => [index, { plain: 0, priced: 0 }]));
  }

  add(row: ParsedRow): void {
    this.#rows += 1;
    for (const role of this.#roles) {
      const text = row.text(role);
      const first = this.#first.get(role);
      if (first === undefined) this.#first.set(role, text);
      else if (text !== first) this.#varying.add(role);
    }
    if (this.#columns.holds === 'funding') return;
    this.#isMoving ||= Number(row.text('high')) !== Number(row.text('low'));
    const close = Number(row.text('close'));
    for (const [index, sums] of this.#sums) {
      const value = Number(row.value(index)) || 0;
      sums.plain += value;
      sums.priced += value * close;
    }
  }

  /** Returns what is unusual but possible, as text. Throws `Malformed` if a column cannot be what it is read as. */
  end(): readonly string[] {
    const isOfCandles = this.#columns.holds === 'candles';
    if (isOfCandles && !this.#assumed) this.#checkVolume();
    if (this.#rows < FEWEST) return [];
    if (!isOfCandles) return this.#equal('rate', 'rows');
    if (!this.#assumed) this.#checkMoney();
    return [
      ...(this.#isMoving ? [] : [`open, high, low and close are equal in all ${this.#rows} candles, so no price moves within one`]),
      ...this.#constantPrices(),
      ...(this.#assumed ? [] : this.#equal('volume', 'candles')),
    ];
  }

  #checkVolume(): void {
    if (this.#varying.has('volume') || Number(this.#first.get('volume')) !== 0) return;
    const { names, indices } = this.#columns;
    const [other] = [...this.#sums].filter(([index, { plain }]) => index !== indices.volume && plain > 0).map(([index]) => names[index]);
    throw new Malformed(
      `the column ${this.#nameOf('volume')} is 0 in all ${this.#rows} candles, and an order is filled by at most the volume of a candle`,
      `${other === undefined ? '' : `give --volume "${other}" to read that column; or `}give --volume AMOUNT to assume that amount in each candle`,
    );
  }

  /** Throws `Malformed` if the volume is another column times the price. */
  #checkMoney(): void {
    const { names, indices } = this.#columns;
    const volume = this.#sums.get(indices.volume ?? -1);
    if (volume === undefined || !this.#varying.has('close')) return;
    const found = [...this.#sums].find(([index, { plain, priced }]) => {
      const differs = Math.abs(plain / volume.plain - 1) > 10 * TOLERANCE; // at a price near 1 both are the same
      return index !== indices.volume && priced > 0 && differs && Math.abs(volume.plain / priced - 1) < TOLERANCE;
    });
    if (found === undefined) return;
    const tokens = names[found[0]];
    throw new Malformed(
      `the column ${this.#nameOf('volume')} is in quote money: it is the price times the column ${tokens}`,
      `give --volume "${tokens}" to read that column`,
    );
  }

  /** Returns remarks on price columns that never change while others do. */
  #constantPrices(): readonly string[] {
    const constant = PRICES.filter((role) => !this.#varying.has(role));
    return constant.length === PRICES.length ? [] : constant.flatMap((role) => this.#equal(role, 'candles'));
  }

  /** Returns a remark if all values of the column are equal. */
  #equal(role: ColumnRole, noun: string): readonly string[] {
    return this.#varying.has(role) ? [] : [`${this.#nameOf(role)} is ${this.#first.get(role)} in all ${this.#rows} ${noun}`];
  }

  #nameOf(role: ColumnRole): string {
    const name = this.#columns.names[this.#columns.indices[role] ?? -1];
    return name === undefined || name === '' ? role : name;
  }
}

const isAmountColumn = (name: string): boolean => /vol|amount|turnover|asset/.test(keyOf(name)) && !/taker|buy|sell/.test(keyOf(name));
