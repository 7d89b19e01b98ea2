// Tapes of one market that follow each other are joined; others are refused.
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/embedded/rows/row-builder.ts';
import { codeOf, KIND_BITS, ROW, type RowKind } from '../../../src/embedded/rows/rows.ts';
import { joinConsecutive, partsOf } from '../../../src/embedded/tape/consecutive.ts';
import type { TapeHeader } from '../../../src/embedded/tape/header.ts';
import { openTape, type Tape } from '../../../src/embedded/tape/reader.ts';
import { allRows, errorMessageOf, headerOf, rowAt, START, scratch, tapeOf } from './samples.ts';

const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const file = scratch();

/** Writes a tape with rows at these times after the start. */
async function tapeAt(name: string, rows: readonly Row[], header: TapeHeader = headerOf()): Promise<Tape> {
  await tapeOf(file(name), [rows], header);
  return openTape(file(name));
}

/** The tape `a.tape`. */
const first = (): Promise<Tape> => openTape(file('a.tape'));

const levels = (...moments: readonly number[]): readonly Row[] => moments.map((at, size) => rowAt(START + at, { size: size + 1 }));
const candlesHeader = (pollMs: number): TapeHeader => ({ ...headerOf('candles'), pollMs });
/** Candles of an hour that open so many hours after the start. */
const candles = (...hours: readonly number[]): readonly Row[] =>
  hours.flatMap((hour) =>
    (['open', 'high', 'low', 'close'] as const).map((kind) =>
      rowAt(START + hour * HOUR, { code: codeOf(kind), size: kind === 'open' ? 3_600_000 : 9 }),
    ),
  );

const shortNames = (text: string): string => text.replaceAll(/[^\s(]*\/(?=\w+\.tape)/g, '');
const refusalOf = async (...tapes: readonly Promise<Tape>[]): Promise<string> => {
  const opened = await Promise.all(tapes);
  const message = await errorMessageOf(joinConsecutive(opened));
  for (const tape of opened) await tape.close();
  return shortNames(message);
};
const kindsOf = (rows: readonly Row[]): readonly string[] =>
  rows.map(({ code }) => (Object.keys(ROW) as RowKind[]).find((kind) => ROW[kind] === (code & KIND_BITS)) ?? '');

describe('recordings that follow each other', () => {
  test('are one tape in the order of time, whose second part begins with an empty book', async () => {
    const late = await tapeAt('late.tape', levels(6 * SECOND, 7 * SECOND));
    const early = await tapeAt('early.tape', levels(0, SECOND));
    const [joined, ...others] = await joinConsecutive([late, early]);
    expect(others).toEqual([]);
    expect(partsOf(joined!)).toEqual([early, late]);
    expect(joined?.facts).toMatchObject({ rows: 4, first: START, last: START + 7 * SECOND });
    const rows = await allRows(joined!);
    expect(rows.map(({ time }) => (time - START) / SECOND)).toEqual([0, 1, 6, 6, 7]);
    expect(kindsOf(rows)).toEqual(['level', 'level', 'clear', 'level', 'level']);
  });

  test('with more than ten seconds between them have a gap', async () => {
    const tapes = [
      await tapeAt('a.tape', levels(0)),
      await tapeAt('b.tape', levels(11 * SECOND)),
      await tapeAt('c.tape', levels(21 * SECOND)),
    ];
    const rows = await allRows((await joinConsecutive(tapes))[0]!);
    expect(kindsOf(rows)).toEqual(['level', 'gap', 'clear', 'level', 'clear', 'level']);
    expect(rows.map(({ time }) => (time - START) / SECOND)).toEqual([0, 0, 11, 11, 21, 21]);
  });

  test('can be read from a time on', async () => {
    const tapes = [await tapeAt('a.tape', levels(0, SECOND)), await tapeAt('b.tape', levels(2 * SECOND, 3 * SECOND))];
    const rows = await allRows((await joinConsecutive(tapes))[0]!, START + SECOND);
    expect(rows.map(({ time }) => (time - START) / SECOND)).toEqual([1, 2, 2, 3]);
  });

  test('of other markets stay apart', async () => {
    const eth = { ...headerOf(), market: { ...headerOf().market, symbol: 'ETHUSDC' } };
    const tapes = [await tapeAt('a.tape', levels(0)), await tapeAt('eth.tape', levels(0, 5), eth), await tapeAt('b.tape', levels(SECOND))];
    const joined = await joinConsecutive(tapes);
    expect(joined.map((tape) => partsOf(tape).length)).toEqual([2, 1]);
    for (const tape of joined) await tape.close();
  });

  test('are refused if they are the same, overlap, are far apart, or differ', async () => {
    await (await tapeAt('a.tape', levels(0, MINUTE))).close();
    expect(await refusalOf(first(), first())).toBe('a.tape and a.tape are the same tape of BTCUSDC');
    expect(await refusalOf(first(), tapeAt('b.tape', levels(30 * SECOND, 2 * MINUTE)))).toBe(
      'a.tape (until 2023-11-14T22:14:20.000Z) and b.tape (from 2023-11-14T22:13:50.000Z) are both of BTCUSDC, and they overlap',
    );
    expect(await refusalOf(first(), tapeAt('c.tape', levels(MINUTE + HOUR + 1)))).toContain('may be at most an hour apart');
    const other = { ...headerOf(), market: { ...headerOf().market, priceDecimals: 2 } };
    expect(await refusalOf(first(), tapeAt('d.tape', levels(2 * MINUTE), other))).toBe(
      'a.tape and d.tape follow each other, but their headers differ in the price decimals of BTCUSDC',
    );
    expect(await refusalOf(first(), tapeAt('e.tape', levels(2 * MINUTE), headerOf('polled')))).toContain('differ in the kind of books');
  });
});

describe('candles that follow each other', () => {
  test('are one tape; funding outside the candles of a tape is dropped', async () => {
    const paid = rowAt(START + 20 * HOUR, { code: codeOf('settlement') });
    const tapes = [
      await tapeAt('a.tape', [...candles(0, 1), paid], candlesHeader(3_600_000)),
      await tapeAt('b.tape', candles(2, 3), candlesHeader(3_600_000)),
    ];
    const rows = await allRows((await joinConsecutive(tapes))[0]!);
    expect(kindsOf(rows)).toEqual(Array.from({ length: 4 }, () => ['open', 'high', 'low', 'close']).flat());
  });

  test('of another length stay apart', async () => {
    const tapes = [
      await tapeAt('a.tape', candles(0, 1), candlesHeader(3_600_000)),
      await tapeAt('long.tape', candles(0), candlesHeader(14_400_000)),
      await tapeAt('b.tape', candles(2), candlesHeader(3_600_000)),
    ];
    const joined = await joinConsecutive(tapes);
    expect(joined.map((tape) => partsOf(tape).length)).toEqual([2, 1]);
    for (const tape of joined) await tape.close();
  });

  test('are refused if they share a candle, or more than an hour is missing', async () => {
    await (await tapeAt('a.tape', candles(0, 1), candlesHeader(3_600_000))).close();
    expect(await refusalOf(first(), tapeAt('b.tape', candles(1, 2), candlesHeader(3_600_000)))).toContain('they overlap');
    expect(await refusalOf(first(), tapeAt('f.tape', candles(4), candlesHeader(3_600_000)))).toContain('may be at most an hour apart');
  });
});
