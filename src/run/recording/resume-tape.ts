// Whether a recording goes on with a tape that is there: it has to be of the same, seen the same way, and not of the future.
import type { Stamp } from '../../domain/rows.ts';
import type { TapeHeader } from '../../tape/header.ts';
import { tapeError, timeText } from '../../tape/source.ts';
import type { TapeWriter } from '../../tape/writer.ts';

type Nature = Omit<TapeHeader, 'basePrice'>;

/** Of the tape that the recording would make, and when. */
export interface GoingOn {
  readonly file: string;
  readonly header: Nature;
  readonly now: Stamp;
}

/** UserError where it does not. */
export function checkGoesOn({ header: old, last }: Pick<TapeWriter, 'header' | 'last'>, { file, header, now }: GoingOn): void {
  const was = natureOf(old);
  const differences = Object.entries(natureOf(header)).filter(([name, is]) => was[name] !== is);
  if (differences.length > 0) {
    const told = differences.map(([name, is]) => `its ${name} is ${was[name]}, not ${is}`).join('; ');
    throw tapeError(file, `is a tape that this recording does not go on with: ${told}`, 'choose another --out, or record as before');
  }
  if (last === undefined || last <= now) return;
  const words = `ends at ${timeText(last)}, and the clock of this machine says ${timeText(now)}`;
  throw tapeError(file, words, 'set the clock, or choose another --out');
}

/** All that a reader of the tape takes for the same from its first row to its last. */
function natureOf({ market, source, books, pollMs, fundingIntervalMs }: Nature): Readonly<Record<string, string>> {
  const { symbol, priceDecimals, sizeDecimals } = market;
  return {
    market: symbol,
    'number of decimals': `${priceDecimals} and ${sizeDecimals}`,
    source: `"${source}"`,
    'kind of books': books,
    'poll interval': msText(pollMs),
    'funding interval': msText(fundingIntervalMs),
  };
}

const msText = (span: number | undefined): string => (span === undefined ? 'none' : `${span} ms`);
