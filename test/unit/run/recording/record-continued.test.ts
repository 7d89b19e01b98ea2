// The beginning of a recording of a hosted exchange: a book of each market, or a tape that it continues.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { firstValueFrom, Observable, Subject } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import type { MarketEvent } from '../../../../src/bot/domain/event.ts';
import type { Market } from '../../../../src/bot/domain/market.ts';
import { Exchange } from '../../../../src/embedded/exchange/exchange.ts';
import { type RecordHostedOptions, recordHosted } from '../../../../src/embedded/recording/record-hosted.ts';
import { codeOf, STAMPS_PER_MILLI } from '../../../../src/embedded/rows/rows.ts';
import type { TapeHeader } from '../../../../src/embedded/tape/header.ts';
import { openTape } from '../../../../src/embedded/tape/reader.ts';
import { allRows, errorMessageOf, scratch, tapeOf } from '../../tape/samples.ts';

const at = scratch();
const START = Date.parse('2026-01-05T12:00:00Z');
const exchange = new Exchange({ seed: 'going-on', start: START - 30_000 });
exchange.advanceTo(START);
const marketOf = (symbol: string): Market => exchange.markets.find((market) => market.symbol === symbol)!;
const [btc, eth] = [marketOf('BTCUSDC'), marketOf('ETHUSDC')];

const bookSeen = (market: Market, time = START): MarketEvent => ({
  kind: 'bookSeen',
  at: time,
  asked: time,
  book: exchange.book(market.id)!,
});

/** A trade with an earlier time. */
function tradeSeen({ time, seen }: { time: number; seen: number }): MarketEvent {
  const [trade] = exchange.trades({ marketId: btc.id, since: undefined, startInclusive: undefined }).items;
  return { kind: 'tradesSeen', at: seen, market: btc.id, trades: [{ ...trade!, time }] };
}

const rowsOfTape = async () => allRows(await openTape(at('BTCUSDC')));

interface Session extends Partial<RecordHostedOptions> {
  readonly markets?: readonly Market[];
  readonly now?: number;
}

/** A recording of events that the test emits to all subscribers; each open tape has one. */
function startRecording({ markets = [btc], now = START, ...options }: Session = {}) {
  const said = new Subject<MarketEvent>();
  let listening = 0;
  const events = new Observable<MarketEvent>((listener) => {
    listening++;
    listener.add(said.subscribe(listener));
    listener.add(() => listening--);
  });
  const asked = new Subject<void>();
  const ended = recordHosted({
    feed: { markets, tokens: [], events },
    clock: new VirtualClock(now),
    pollMs: 250,
    source: 'polls by hand',
    command: 'record',
    fileOf: ({ symbol }) => at(symbol),
    until: firstValueFrom(asked),
    ...options,
  });
  const areOpen = (tapes: number): Promise<void> => vi.waitFor(() => expect(listening).toBe(1 + tapes), { interval: 1, timeout: 300_000 });
  return { say: (event: MarketEvent) => said.next(event), areOpen, end: () => asked.next(), ended };
}

/** Records a book, once before the tape exists and once on it. */
async function recordedOnce(session: Session = {}): Promise<void> {
  const { say, areOpen, end, ended } = startRecording(session);
  say(bookSeen(btc));
  await areOpen(1);
  say(bookSeen(btc));
  end();
  await ended;
}

describe('a book that never arrives', () => {
  test('does not prevent the end of a recording, and leaves no file', async () => {
    const { say, end, ended } = startRecording();
    say({ ...bookSeen(btc), book: { ...exchange.book(btc.id)!, bids: [] } } as MarketEvent);
    end();
    expect(await ended).toEqual([undefined]);
    expect(readdirSync(at(''))).toEqual([]);
  });

  test('does not prevent the recording of the other markets', async () => {
    const { say, areOpen, end, ended } = startRecording({ markets: [eth, btc] });
    say(bookSeen(btc));
    await areOpen(2); // one open, one waiting
    say(bookSeen(btc));
    end();
    const [unseen, facts] = await ended;
    expect([unseen, facts?.rows]).toEqual([undefined, expect.any(Number)]);
    expect((await rowsOfTape()).length).toBeGreaterThan(10);
  });
});

describe('an existing tape', () => {
  const recordingOf = { source: 'polls by hand', books: 'polled', pollMs: 250, fundingIntervalMs: 3_600_000 } as const;
  const header = (change: Partial<TapeHeader> = {}): TapeHeader => ({ market: btc.spec, basePrice: 1, ...recordingOf, ...change });

  test.each<[string, Partial<TapeHeader>, string]>([
    ['another market', { market: { ...btc.spec, symbol: 'ETHUSDC' } }, 'its market is ETHUSDC, not BTCUSDC'],
    ['other decimals', { market: { ...btc.spec, priceDecimals: 0 } }, 'its number of decimals is 0 and 4, not 1 and 4'],
    [
      'every change',
      { books: 'changes', pollMs: undefined },
      'its kind of books is changes, not polled; its poll interval is none, not 250 ms',
    ],
    ['another exchange', { source: 'polls of another' }, 'its source is "polls of another", not "polls by hand"'],
    ['other polls', { pollMs: 500 }, 'its poll interval is 500 ms, not 250 ms'],
    ['other funding', { fundingIntervalMs: undefined }, 'its funding interval is none, not 3600000 ms'],
  ])('of %s is not continued, and stays unchanged', async (_, change, words) => {
    await tapeOf(at('BTCUSDC'), [], header(change));
    const bytes = readFileSync(at('BTCUSDC'));
    expect(await errorMessageOf(startRecording().ended)).toMatch(new RegExp(`: ${words}$`));
    expect(readFileSync(at('BTCUSDC'))).toEqual(bytes);
  });

  test('of the same market is continued', async () => {
    await tapeOf(at('BTCUSDC'), [], header());
    await recordedOnce();
    expect((await rowsOfTape()).length).toBeGreaterThan(10);
  });

  test('that ends in the future is refused with a message', async () => {
    await recordedOnce();
    const words = 'ends at 2026-01-05T12:00:00.000Z, and the clock of this machine says 2026-01-05T11:59:59.000Z';
    expect(await errorMessageOf(startRecording({ now: START - 1_000 }).ended)).toContain(words);
  });

  test('takes events from before its end with the time of its end', async () => {
    await recordedOnce();
    const { say, areOpen, end, ended } = startRecording({ now: START + 1_000 });
    await areOpen(1);
    say(tradeSeen({ time: START - 5_000, seen: START + 1_000 }));
    end();
    await ended;
    const [gap, trade] = (await rowsOfTape()).slice(-2);
    expect(gap).toMatchObject({ code: codeOf('gap'), time: START * STAMPS_PER_MILLI });
    expect(trade).toMatchObject({ time: START * STAMPS_PER_MILLI, size: expect.any(Number) as number });
  });

  test('that is damaged ends the recording, and the others are complete', async () => {
    await recordedOnce();
    writeFileSync(at('ETHUSDC'), '# Notes of a long day');
    const before = (await rowsOfTape()).length;
    expect(await errorMessageOf(startRecording({ markets: [btc, eth] }).ended)).toContain('ETHUSDC: is not a tape');
    expect((await rowsOfTape()).length).toBe(before + 1); // the gap
  });
});
