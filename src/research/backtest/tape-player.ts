// Plays a tape: feeds its rows to the exchange, one block ahead of the clock.
import type { Millis } from '../../base/clock.ts';
import { CandleTimes } from '../../embedded/exchange/recorded/candle-times.ts';
import { RecordedCandles } from '../../embedded/exchange/recorded/recorded-candles.ts';
import { RowFeed } from '../../embedded/exchange/recorded/recording.ts';
import { type Rows, STAMPS_PER_MILLI, type Stamp } from '../../embedded/rows/rows.ts';
import type { Tape } from '../../embedded/tape/reader.ts';

export interface TapePlayerOptions {
  /** The rows from then on are left out. Default: none. */
  readonly until?: Stamp | undefined;
  /** Called with each block, which it may keep. */
  readonly onBlock?: ((rows: Rows) => void) | undefined;
}

export class TapePlayer {
  readonly rows = new RowFeed();
  /** The candles of a tape of candles. */
  readonly candles: RecordedCandles | undefined;
  readonly #tape: Tape;
  readonly #blocks: AsyncIterator<Rows>;
  readonly #times: CandleTimes | undefined;
  readonly #until: Stamp;
  readonly #onBlock: TapePlayerOptions['onBlock'];
  /** Blocks whose memory is released after they have been played, oldest first. */
  readonly #inUse: Rows[] = [];

  constructor(tape: Tape, { until = Number.POSITIVE_INFINITY, onBlock }: TapePlayerOptions = {}) {
    this.#tape = tape;
    this.#blocks = tape.blocks()[Symbol.asyncIterator]();
    const { books, pollMs } = tape.header;
    this.#times = books === 'candles' ? new CandleTimes() : undefined;
    this.candles = books === 'candles' && pollMs !== undefined ? new RecordedCandles(pollMs) : undefined;
    this.#until = until;
    this.#onBlock = onBlock;
  }

  /** The last millisecond whose rows are all loaded; Infinity after the last row. */
  get horizon(): Millis {
    return Math.ceil(this.rows.covered / STAMPS_PER_MILLI) - 1;
  }

  /** Loads the next block, or marks the end. */
  async load(): Promise<void> {
    this.#releasePlayed();
    const { done, value: block } = await this.#blocks.next();
    if (done === true) return this.#end();
    const rows = before(block, this.#until);
    if (rows === undefined) return this.#end();
    if (this.#onBlock === undefined) this.#inUse.push(rows);
    this.#onBlock?.(rows);
    this.candles?.push(rows);
    this.rows.push(this.#times?.rows(rows) ?? rows);
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await this.#blocks.return?.();
  }

  #releasePlayed(): void {
    for (let [oldest] = this.#inUse; oldest !== undefined && oldest !== this.rows.rows; [oldest] = this.#inUse) {
      this.#inUse.shift();
      this.#tape.release?.(oldest);
    }
  }

  #end(): void {
    if (this.#times !== undefined) this.rows.push(this.#times.end());
    this.rows.end();
  }
}

/** Returns the rows of a block before that time; undefined if there are none. */
function before(rows: Rows, until: Stamp): Rows | undefined {
  let { count } = rows;
  while (count > 0 && rows.times[count - 1]! >= until) count--;
  if (count === 0) return undefined;
  return count === rows.count ? rows : { ...rows, count };
}

/** Returns the player with the earliest horizon. */
export const slowest = (players: readonly TapePlayer[]): TapePlayer =>
  players.reduce((least, player) => (player.horizon < least.horizon ? player : least));
