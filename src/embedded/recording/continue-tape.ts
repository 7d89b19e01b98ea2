// Checks whether a recording may continue an existing tape: same market, same source, same way of recording, and no rows in the future.
import { type Stamp, stampText } from '../rows/rows.ts';
import type { TapeHeader } from '../tape/header.ts';
import { tapeError } from '../tape/source.ts';
import type { TapeWriter } from '../tape/writer.ts';

type Properties = Omit<TapeHeader, 'basePrice'>;

/** The tape that the recording would write, and the current time. */
export interface Continuation {
  readonly file: string;
  readonly header: Properties;
  readonly now: Stamp;
}

/** Throws a UserError if the recording may not continue the tape. */
export function checkContinuable({ header: old, last }: Pick<TapeWriter, 'header' | 'last'>, { file, header, now }: Continuation): void {
  const was = propertiesOf(old);
  const differences = Object.entries(propertiesOf(header)).filter(([name, is]) => was[name] !== is);
  if (differences.length > 0) {
    const shown = differences.map(([name, is]) => `its ${name} is ${was[name]}, not ${is}`).join('; ');
    throw tapeError(
      file,
      `is a tape that this recording cannot continue: ${shown}`,
      'choose another --out, or record with the same settings',
    );
  }
  if (last === undefined || last <= now) return;
  const words = `ends at ${stampText(last)}, and the clock of this machine says ${stampText(now)}`;
  throw tapeError(file, words, 'set the clock, or choose another --out');
}

/** Returns the properties that must be the same from the first row of a tape to the last. */
function propertiesOf({ market, source, books, pollMs, fundingIntervalMs }: Properties): Readonly<Record<string, string>> {
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
