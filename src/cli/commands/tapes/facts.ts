// `bot tape facts`: the stylised facts of tapes, side by side.
import { Market } from '../../../domain/market.ts';
import { type Facts, factsOf, SPANS } from '../../../research/facts/facts.ts';
import { observe } from '../../../research/facts/observations.ts';
import { openTape } from '../../../tape/reader.ts';
import { type ExitCode, type Host, say } from '../../host.ts';
import { tableLines } from '../../output/table.ts';
import { clean } from '../../terminal/clean.ts';

interface Measured {
  readonly file: string;
  readonly symbol: string;
  readonly facts: Facts;
}

/** Reads each tape whole. Throws a UserError if one cannot be read. */
export async function tapeFacts(files: readonly string[], { json }: { json?: true }, { stdout }: Host): Promise<ExitCode> {
  const measured: Measured[] = [];
  for (const file of files) {
    const tape = await openTape(file);
    try {
      const facts = factsOf(await observe(tape.blocks()));
      measured.push({ file, symbol: new Market(tape.header.market).symbol, facts });
    } finally {
      await tape.close();
    }
  }
  if (json)
    for (const { file, symbol, facts } of measured) say(stdout, JSON.stringify({ kind: 'facts', tape: file, market: symbol, ...facts }));
  else for (const line of tableOf(measured)) say(stdout, clean(line));
  return 0;
}

const ROWS: readonly (readonly [name: string, cell: (facts: Facts) => string])[] = [
  ['seconds with a book', ({ seconds }) => seconds.toLocaleString('en-US')],
  ['trades', ({ trades }) => trades.toLocaleString('en-US')],
  ['volatility a year, by minutes', ({ volatility }) => (volatility === undefined ? '-' : `${Math.round(volatility * 100)} %`)],
  ['deviation of returns, 1 / 10 / 60 s, bp', ({ returns }) => cells(SPANS.map((span) => returns[span]?.deviation))],
  ['kurtosis, 1 / 10 / 60 s', ({ returns }) => cells(SPANS.map((span) => returns[span]?.kurtosis))],
  ['autocorrelation, 1 / 10 / 60 s', ({ returns }) => cells(SPANS.map((span) => returns[span]?.autocorrelation))],
  ['clustering after 1 / 10 / 60 s', ({ clustering }) => cells(clustering)],
  ['spread, mean / 90 %, bp', ({ spread }) => cells(spread ?? [undefined])],
  ['depth, levels 1 / 2 / 3', ({ depth }) => cells(depth ?? [undefined])],
  ['trades a second', ({ tradesPerSecond }) => cells([tradesPerSecond])],
  ['trade sizes, 50 / 90 / 99 %, of the mean', ({ tradeSizes }) => cells(tradeSizes ?? [undefined])],
  ['sides after 1 / 10 / 60 trades', ({ signs }) => cells(signs)],
  ['changes of the book a trade', ({ changesPerTrade }) => cells([changesPerTrade])],
  ['impact after 1 / 10 / 60 s, bp', ({ impact }) => cells(impact)],
  ['mark over index, deviation, bp', ({ basis }) => cells([basis])],
];

const cells = (values: readonly (number | undefined)[]): string =>
  values.map((value) => (value === undefined ? '-' : value.toLocaleString('en-US', { maximumSignificantDigits: 2 }))).join(' / ');

function tableOf(measured: readonly Measured[]): readonly string[] {
  const rows = [
    ['', ...measured.map(({ symbol }) => symbol)],
    ...ROWS.map(([name, cell]) => [name, ...measured.map(({ facts }) => cell(facts))]),
  ];
  return tableLines(rows);
}
