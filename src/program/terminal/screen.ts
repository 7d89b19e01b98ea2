// The terminal's alternate screen: enters it, redraws changed text, and leaves it on every kind of exit.
import type { Host, Output } from '../host.ts';
import type { FrameSize } from './run-rows.ts';

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const ERASE_ALL = '\x1b[2J';
const ERASE_LINE = '\x1b[K';
const ERASE_BELOW = '\x1b[J';
/** Size of a terminal that does not report one. */
const DEFAULT_SIZE = { columns: 80, rows: 24 };

export class Screen {
  readonly #stdout: Output;
  readonly #onResize: () => void;
  /** The text on the screen; undefined if all of it has to be drawn again. */
  #shown: string | undefined;
  #entered = false;

  constructor(host: Pick<Host, 'stdout' | 'onExit'>) {
    this.#stdout = host.stdout;
    this.#onResize = () => {
      this.#shown = undefined;
    };
    host.onExit(() => this.leave());
  }

  /** The size without the last column, which stays empty: erasing to the end of a full line would also erase its last character. */
  get size(): FrameSize {
    const { columns, rows } = this.#stdout;
    return { width: (columns || DEFAULT_SIZE.columns) - 1, height: rows || DEFAULT_SIZE.rows };
  }

  enter(): void {
    this.#entered = true;
    this.#stdout.on('resize', this.#onResize);
    this.#stdout.write(ENTER);
  }

  /** Draws the text. Does nothing if the same text is shown already, or if the terminal has not yet read the previous text. */
  draw(text: string): void {
    if (!this.#entered || text === this.#shown || this.#stdout.writableLength > 0) return;
    const lines = text.split('\n').join(`${ERASE_LINE}\r\n`);
    this.#stdout.write(`${HOME}${this.#shown === undefined ? ERASE_ALL : ''}${lines}${ERASE_LINE}${ERASE_BELOW}`);
    this.#shown = text;
  }

  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    this.#stdout.off('resize', this.#onResize);
    this.#stdout.write(LEAVE);
  }
}
