// What several tests show: a run, its summary, and a picture of it.
import type { Facts, Outcome } from '../../../../src/cli/output/presenter.ts';
import type { Picture } from '../../../../src/cli/terminal/picture.ts';
import type { Summary } from '../../../../src/report/accounting/summary.ts';

export const FACTS: Facts = {
  run: 'grid-embedded-x',
  strategy: 'grid',
  exchange: 'embedded',
  seed: 'a',
  state: '.bot/x',
  markets: ['BTCUSDC'],
};

export const SUMMARY: Summary = {
  kind: 'summary',
  run: 'grid-embedded-x',
  strategy: 'grid',
  exchange: 'embedded',
  seconds: 20.1,
  turns: 812,
  orders: { placed: 64, cancelled: 40, rejected: 0, unknown: 0, openAtExit: 0 },
  fills: 24,
  volume: '182345.12',
  fees: '18.23',
  funding: '0.00',
  pnl: '12.34',
  positions: { BTCUSDC: '0.0120' },
  findings: { margin: 3, 'price-collar': 0 },
  fingerprint: 'f'.repeat(64),
};

export const OPEN: Outcome['open'] = [
  { clientOrderId: '17', orderId: undefined, status: 'unknown', side: 'bid', symbol: 'BTCUSDC', price: '60000.0', size: '0.0100' },
  { clientOrderId: '18', orderId: '99', status: 'cancelling', side: 'ask', symbol: 'BTCUSDC', price: '60100.0', size: '0.0200' },
];

export const PICTURE: Picture = {
  title: { strategy: 'grid', exchange: 'embedded', run: 'grid-embedded-x' },
  elapsedMs: 3_723_000,
  state: { kind: 'trading' },
  markets: [
    {
      symbol: 'BTCUSDC',
      book: {
        bid: [
          { price: '60000.0', size: '0.5000', own: '0.0100' },
          { price: '59999.0', size: '1.0000', own: undefined },
        ],
        ask: [
          { price: '60001.0', size: '0.2500', own: undefined },
          { price: '60002.0', size: '2.0000', own: '0.0200' },
        ],
      },
      orders: {
        bid: [{ side: 'bid', price: '60000.0', remaining: '0.0100', status: 'open' }],
        ask: [{ side: 'ask', price: '60002.0', remaining: '0.0200', status: 'cancelling' }],
      },
      position: { size: '-0.0166', entry: '60042.0', pnl: '-0.50' },
    },
  ],
  account: {
    equity: '1000.00',
    pnl: '12.34',
    margins: [
      { name: 'imf', against: 'omf', required: '100.00', there: '1000.00', share: 0.1 },
      { name: 'cmf', against: 'omf', required: '600.00', there: '1000.00', share: 0.6 },
      { name: 'mmf', against: 'mf', required: '1200.00', there: '1000.00', share: 1.2 },
    ],
  },
  session: { leftMs: 5_400_000, share: 0.5 },
  alarms: [],
  ages: [
    { stream: 'book', ageMs: 120 },
    { stream: 'account', ageMs: undefined },
  ],
  faults: [],
  findings: [{ at: '2026-01-02T03:04:05.678Z', text: 'margin shrinks ask BTCUSDC: too little' }],
  fills: [{ at: '2026-01-02T03:04:06.000Z', text: 'fill: bid 0.0100 BTCUSDC at 60000.0, maker' }],
  changes: [{ at: '2026-01-02T03:04:07.000Z', text: 'order open: bid 0.0100 BTCUSDC at 60000.0' }],
  logs: [],
};
