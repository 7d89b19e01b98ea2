// Events of a run in words, and the final page.
import { describe, expect, test } from 'vitest';
import type { Line } from '../../../../src/bot/accounting/lines.ts';
import { killSwitchWarning } from '../../../../src/program/output/cancel-all-words.ts';
import { lineWords, outcomeWords, statusWords } from '../../../../src/program/output/words.ts';
import { FACTS, OPEN, SUMMARY } from '../run/samples.ts';

const ORDER = {
  kind: 'order',
  at: '2026-01-02T03:04:05.678Z',
  market: 'BTCUSDC',
  clientOrderId: '1',
  side: 'bid',
  price: '60000.0',
  size: '0.0100',
  fillMode: 'POST_ONLY',
} as const;
const FILL = { ...ORDER, kind: 'fill', role: 'maker', orderId: '7', tradeId: '8' } as const;
const FINDING = { kind: 'finding', at: ORDER.at, guard: 'margin', verdict: 'shrink', reason: 'omf would fall to imf' } as const;

test('a run that ends with its exchange is not to be resumed', () => {
  const set = { mode: 'cancel-all' } as const;
  expect(killSwitchWarning(set, { run: 'grid', flag: undefined })).toContain('places none; it cannot be continued: start another one');
  expect(killSwitchWarning(set, { run: 'grid', flag: 'grid' })).toContain('resume grid');
});

describe('lines', () => {
  test.each<[Line, string]>([
    [{ ...ORDER, status: 'placed' }, 'order placed: bid 0.0100 BTCUSDC at 60000.0'],
    [{ ...ORDER, status: 'rejected', reason: 'FUNDS' }, 'order rejected: bid 0.0100 BTCUSDC at 60000.0: FUNDS'],
    [{ ...ORDER, status: 'rejected', reason: 'NOT_SENT' }, 'order not sent: bid 0.0100 BTCUSDC at 60000.0: NOT_SENT'],
    [{ ...FILL, fee: '0.06' }, 'fill: bid 0.0100 BTCUSDC at 60000.0, maker, fee 0.06'],
    [FILL, 'fill: bid 0.0100 BTCUSDC at 60000.0, maker'],
    [{ ...FINDING, market: 'BTCUSDC', side: 'ask' }, 'margin shrinks ask BTCUSDC: omf would fall to imf'],
    [{ ...FINDING, verdict: 'hold' }, 'margin holds: omf would fall to imf'],
    [{ kind: 'log', at: ORDER.at, level: 'info', text: 'crossed', fields: { fast: 1.5, side: 'up' } }, 'log: crossed fast=1.5 side=up'],
    [{ kind: 'log', at: ORDER.at, level: 'warn', text: 'no mid' }, 'warning: no mid'],
  ])('%#', (line, words) => {
    expect(lineWords(line)).toBe(words);
  });

  test('foreign text cannot move the cursor', () => {
    expect(lineWords({ ...FINDING, reason: 'bad\x1b[2J\r\nnews\u009b\u202e' })).toBe('margin shrinks: bad?[2J??news??');
  });
});

test('a status, with and without optional values', () => {
  const status = { kind: 'status', at: ORDER.at, pnl: '-1.50' } as const;
  expect(statusWords({ ...status, positions: {}, openOrders: 0 })).toBe('status: profit -1.50, flat, 0 open orders, account not read yet');
  expect(statusWords({ ...status, equity: '98.50', positions: { BTCUSDC: '-0.5' }, openOrders: 1, dataAgeMs: 240 })).toBe(
    'status: equity 98.50, profit -1.50, holding BTCUSDC -0.5, 1 open order, account 0.2 s old',
  );
});

describe('the final page', () => {
  test('of a settled run', () => {
    expect(outcomeWords({ summary: SUMMARY, ending: { kind: 'settled' }, open: [] }, FACTS).split('\n')).toEqual([
      'grid-embedded-x: done, no order is open',
      '  ran       20.1 s, 812 turns',
      '  orders    64 placed, 40 cancelled, 0 rejected',
      '  fills     24, volume 182345.12',
      '  profit    12.34, after fees of 18.23, with funding of 0.00',
      '  position  holding BTCUSDC 0.0120',
      '  guards    margin 3',
      '  seed      a',
      '  state     .bot/x',
    ]);
  });

  test('of a run whose embedded exchange fell behind', () => {
    const summary = { ...SUMMARY, exchangeBehindSeconds: 40 };
    expect(outcomeWords({ summary, ending: { kind: 'settled' }, open: [] }, FACTS)).toContain(
      '  behind    the exchange left out 40 s of the clock: this machine was too busy\n',
    );
  });

  test('of a run that did not settle says why, and what may still be open', () => {
    const page = outcomeWords({ summary: SUMMARY, ending: { kind: 'unsettled', reason: 'stopped twice' }, open: OPEN }, FACTS);
    expect(page).toContain('grid-embedded-x: not settled: stopped twice\n');
    expect(page).toContain(
      [
        'orders that are still at the exchange, or not proved gone:',
        '  bid 0.0100 BTCUSDC at 60000.0, unknown, client order 17',
        '  ask 0.0200 BTCUSDC at 60100.0, cancelling, order 99',
      ].join('\n'),
    );
  });

  test('of a run that failed', () => {
    const failed = { kind: 'failed', error: new Error('no more luck') } as const;
    const [settled, not] = [true, false].map((proved) =>
      outcomeWords({ summary: SUMMARY, ending: { ...failed, settled: proved }, open: [] }, FACTS),
    );
    expect(settled).toContain('grid-embedded-x: failed; all its orders are proved gone\n');
    expect(not).toContain('grid-embedded-x: failed; some of its orders are not proved gone\n');
  });
});
