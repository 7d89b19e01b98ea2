// A run for tests of the output: its facts, its summary, and its view model.

import type { Summary } from '../../../../src/bot/accounting/summary.ts';
import type { PageOrder } from '../../../../src/program/monitoring/page/contract.ts';
import type { ShownFacts, ShownOutcome } from '../../../../src/program/output/presenter.ts';
import type { ViewModel } from '../../../../src/program/terminal/view-model.ts';

export const FACTS: ShownFacts = {
  run: 'grid-embedded-x',
  strategy: 'grid',
  exchange: 'embedded',
  seed: 'a',
  state: '.bot/x',
  markets: ['BTCUSDC'],
};

const SAMPLE_PART = { fills: 24, volume: '182345.12', fees: '18.23', funding: '0.00', pnl: '12.34', positions: { BTCUSDC: '0.0120' } };

export const SUMMARY: Summary = {
  kind: 'summary',
  run: 'grid-embedded-x',
  strategy: 'grid',
  exchange: 'embedded',
  seconds: 20.1,
  turns: 812,
  turnsBy: { acted: 80, refused: 3, held: 1, belowLot: 0, staleInput: 0, nothingReturned: 0, unchanged: 728 },
  heldBy: { 'data-age': 1 },
  refusedBy: { margin: 3 },
  staleBy: {},
  orders: { placed: 64, cancelled: 40, rejected: 0, unknown: 0, openAtExit: 0 },
  fills: 24,
  volume: '182345.12',
  fees: '18.23',
  funding: '0.00',
  pnl: '12.34',
  positions: { BTCUSDC: '0.0120' },
  markets: { BTCUSDC: { kind: 'perp', ...SAMPLE_PART } },
  strategies: { grid: SAMPLE_PART },
  unowned: { fills: 0, volume: '0.00', fees: '0.00', funding: '0.00', pnl: '0.00', positions: {} },
  findings: { margin: 3, 'price-collar': 0 },
  fingerprint: 'f'.repeat(64),
};

export const OPEN: ShownOutcome['open'] = [
  { clientOrderId: '17', orderId: undefined, status: 'unknown', side: 'bid', symbol: 'BTCUSDC', price: '60000.0', size: '0.0100' },
  { clientOrderId: '18', orderId: '99', status: 'cancelling', side: 'ask', symbol: 'BTCUSDC', price: '60100.0', size: '0.0200' },
];

const NOW = Date.parse('2026-01-02T03:04:10Z');

export const MODEL: ViewModel = {
  title: { strategy: 'grid', exchange: 'embedded', run: 'grid-embedded-x' },
  live: false,
  now: NOW,
  elapsedMs: 3_723_000,
  status: {
    at: '2026-01-02T03:04:10.000Z',
    turns: 812,
    mode: 'active',
    equity: '1000.00',
    pnl: '12.34',
    trading: '15.00',
    fees: '2.66',
    funding: '0.00',
    today: '3.10',
    drawdown: '5.20',
    volume: '7200.00',
    fills: 24,
    placed: 64,
    rejected: 1,
    openOrders: 2,
    unknown: 0,
    positions: { BTCUSDC: '-0.0166' },
    holdings: { BTCUSDC: { entry: '60042.0', pnl: '-0.50', liquidation: '71200.0' } },
    markets: { BTCUSDC: { mark: '60000.4', index: '60000.1', funding: 0.0000125, nextFunding: 1_750_000, frozen: false } },
    shares: { open: 0.1, cancel: 0.6, maintenance: 1 },
    accountAsked: NOW - 300,
    dataAgeMs: 300,
    unhealthy: [],
    intents: [{ market: 'BTCUSDC', bids: 0, asks: 5 }],
    session: { expires: 6_400, now: 1_000 },
    watchdog: 'ok',
  },
  markets: [
    {
      symbol: 'BTCUSDC',
      book: {
        market: 'BTCUSDC',
        asked: NOW - 120,
        bids: [
          ['60000.0', '0.5000', '0.0100'],
          ['59999.0', '1.0000'],
        ],
        asks: [
          ['60001.0', '0.2500'],
          ['60002.0', '2.0000', '0.0200'],
        ],
      },
      top: { mid: '60000.50', spread: '1.0', bps: 0.1667 },
      orders: [
        order({ clientOrderId: '18826099267901', side: 'bid', price: '60000.0', remaining: '0.0100', status: 'open', ahead: '0.4900' }),
        order({ clientOrderId: '18826099267902', side: 'ask', price: '60002.0', remaining: '0.0200', status: 'cancelling' }),
      ],
      prices: [1, 2, 4],
      traded: '12.9400',
    },
  ],
  profits: [0, 5, 12],
  alarms: [],
  ages: [
    { stream: 'book', ageMs: 120 },
    { stream: 'account', ageMs: undefined },
  ],
  held: [{ since: '2026-01-02T03:04:05.678Z', guard: 'margin', verdict: 'shrink', side: 'ask', market: 'BTCUSDC', reason: 'too little' }],
  fills: [{ at: '2026-01-02T03:04:06.000Z', text: 'fill: bid 0.0100 BTCUSDC at 60000.0, maker' }],
  changes: [{ at: '2026-01-02T03:04:07.000Z', text: 'order open: bid 0.0100 BTCUSDC at 60000.0' }],
  logs: [],
};

function order(differing: Omit<PageOrder, 'market' | 'sentAt'>): PageOrder {
  return { market: 'BTCUSDC', sentAt: NOW - 2_000, ...differing };
}
