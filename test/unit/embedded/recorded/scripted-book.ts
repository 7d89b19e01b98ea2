// A recorded book that a test controls: rows and fills as lines of text, own orders by name.
import { assert } from '../../../../src/base/errors.ts';
import type { Side } from '../../../../src/bot/domain/book.ts';
import type { Lots, Ticks } from '../../../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../../../src/bot/domain/order.ts';
import { RecordedBook, type RecordedBookOptions } from '../../../../src/embedded/exchange/recorded/recorded-fills.ts';
import { RECORDED_MAKER } from '../../../../src/embedded/exchange/recorded/side.ts';
import { RowBuilder } from '../../../../src/embedded/rows/row-builder.ts';
import { codeOf, type RowKind } from '../../../../src/embedded/rows/rows.ts';

const LINE = /^(?:#(?<name>\d+) )?(?<side>bid|ask) (?<price>\d+) x (?<size>\d+)$/;

export class ScriptedBook {
  readonly book: RecordedBook;
  readonly #handles = new Map<string, number>();
  readonly #names = new Map<number, string>();
  /** The stamp of the next rows. Each batch gets a new one, except within `atOnce`. */
  #time = 0;
  #held = false;

  constructor(options: RecordedBookOptions) {
    this.book = new RecordedBook(options);
  }

  /** Plays one batch of rows: `bid 100 x 5`, `#7 bid 100 x 5` (with the name of an order), or `clear`. */
  play(...lines: readonly string[]): void {
    this.#follow(lines.map((line, index) => ({ ...read(line), last: index === lines.length - 1 })));
  }

  /** Plays rows of a batch that is not complete yet. */
  begin(...lines: readonly string[]): void {
    this.#follow(lines.map((line) => ({ ...read(line), last: false })));
  }

  /** A recorded trade whose taker sold. */
  sold(size: number, price: number): void {
    this.book.trade('ask', price as Ticks, size as Lots, this.#stamp());
  }

  bought(size: number, price: number): void {
    this.book.trade('bid', price as Ticks, size as Lots, this.#stamp());
  }

  /** Gives everything that `run` plays the same stamp. */
  atOnce(run: () => void): void {
    this.#time++;
    this.#held = true;
    run();
    this.#held = false;
  }

  /** Places an own order. Returns its immediate fills as lines, or the refusal. */
  place(name: string, side: Side, size: number, price?: number, mode: FillMode = 'LIMIT'): readonly string[] | string {
    const { book } = this;
    const refusal = book.plan(side, mode, size as Lots, price as Ticks | undefined);
    if (refusal !== undefined) return refusal;
    const { fills } = book;
    const lines = Array.from({ length: fills.count }, (_, index) => {
      const maker = fills.maker(index) === RECORDED_MAKER ? 'the recording' : this.#names.get(fills.maker(index));
      return `${fills.size(index)} at ${fills.price(index)} from ${maker}`;
    });
    const handle = book.commit();
    if (handle !== undefined) {
      this.#handles.set(name, handle);
      this.#names.set(handle, name);
    }
    return lines;
  }

  cancel(name: string): void {
    this.book.cancel(this.handle(name));
  }

  handle(name: string): number {
    const handle = this.#handles.get(name);
    assert(handle !== undefined, `no order ${name} came to rest`);
    return handle;
  }

  /** The fills of own resting orders since the last call. */
  filled(): readonly string[] {
    return this.book.takeOwnFills().map(({ handle, price, size }) => `${this.#names.get(handle)} ${size} at ${price}`);
  }

  levels(side: Side): readonly string[] {
    return this.book.levels(side).map(({ price, size }) => `${price} x ${size}`);
  }

  #follow(rows: readonly Reported[]): void {
    const builder = new RowBuilder({ orders: true });
    const time = this.#stamp();
    for (const { kind, side, last, ...row } of rows)
      builder.add({ ...row, time, lag: 0, code: codeOf(kind, { side, last }), order: row.name });
    const reported = builder.take();
    this.book.follow(reported, 0, reported.count);
  }

  #stamp(): number {
    return this.#held ? this.#time : ++this.#time;
  }
}

interface Reported {
  readonly kind: RowKind;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly name: number;
  readonly last: boolean;
}

function read(line: string): Omit<Reported, 'last'> {
  if (line === 'clear') return { kind: 'clear', side: 'bid', price: 0, size: 0, name: 0 };
  const found = LINE.exec(line)?.groups;
  assert(found !== undefined, `"${line}" is not a row`);
  const { name, side, price, size } = found;
  return {
    kind: name === undefined ? 'level' : 'order',
    side: side as Side,
    price: Number(price),
    size: Number(size),
    name: Number(name ?? 0),
  };
}
